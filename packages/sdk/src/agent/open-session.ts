/**
 * A started engine for an agent in a folder: `Config` with the agent's tools, hooks, skills, sub-agents and policies, and
 * the `EventStream` on which its events pass. Other front ends of an agent (ACP) begin here.
 */
import type { EventStream, McpServerFields, Project } from '@gemini-cli/core';
import type { GeminiCliAgent } from './agent.js';
import type { GeminiCliSession } from './session.js';
import { SessionEngine } from './session-engine.js';

export interface OpenRequest {
  /** Default: that of the agent's options. */
  cwd?: string;
  /** Continues the stored session of this id, else begins one under it. */
  sessionId?: string;
  /** Id of a stored session, or `latest`; fails if there is none. */
  resume?: string;
  /** MCP servers besides those of the agent. */
  mcpServers?: Readonly<Record<string, McpServerFields>>;
  /** The caller's own stream, to hear the start, too. */
  events?: EventStream;
  /** The caller answers questions on the stream; `onApproval` and `onAskUser` are not asked. */
  callerAnswers?: boolean;
  /** This session does the work of a sub-agent. */
  parent?: { sessionId: string; agentName: string };
  /** Changes the project before the engine is started. */
  prepare?: (project: Project) => void;
}

export interface OpenedSession {
  /** The front of it for tools and hooks (`ctx.session`). */
  session: GeminiCliSession;
  config: Awaited<ReturnType<SessionEngine['open']>>['config'];
  events: EventStream;
  /** Tells the hooks, and ends what it has started. */
  close(): Promise<void>;
}

/** @throws GeminiCliError where the folder may not be used, no account is signed in, or the session does not exist */
export async function openSession(agent: GeminiCliAgent, request: OpenRequest = {}): Promise<OpenedSession> {
  const engine = new SessionEngine(agent, request);
  const { config, events } = await engine.open();
  return { session: engine.session, config, events, close: () => engine.close() };
}
