/** What runs of agents need of the engine; `engine/main/compose-agents.ts` supplies it. */
import type { AgentBounds } from '../../agent/agent-limits.js';
import type { AgentSession } from '../../agent/agent-session.js';
import type { FinalAnswerCheck } from '../../agent/chat/final-answer-check.js';
import type { AgentModel, ClientOptions, GeminiClient } from '../../agent/gemini-client.js';
import type { EventStream } from '../../bus/event-stream.js';
import type { MessageBus } from '../../bus/message-bus.js';
import type { ContextService } from '../../context/context-service.js';
import type { GenerationSettings } from '../../model/content-generator.js';
import type { Clock } from '../../platform/clock.js';
import type { AgentRef } from '../../protocol/agent-events.js';
import type { ChatRecordingService } from '../../sessions/recording/chat-recording-service.js';
import type { ToolRegistry } from '../../tools/tool-registry.js';
import type { AgentRunScene, AgentRunTools, LocalAgentDefinition } from '../types.js';

/** A composed agent: `Agent` of the engine. */
export interface AgentLoop {
  ref: AgentRef;
  bus: MessageBus;
  tools: ToolRegistry;
  client: GeminiClient;
  session: AgentSession;
  close(): void;
}

/** The part of the engine's `AgentSetup` that a run decides about. */
export interface LoopSetup {
  name: string;
  model: AgentModel;
  settings: (model: string, isRetry: boolean) => GenerationSettings;
  systemInstruction: () => string;
  registerTools(registry: ToolRegistry, bus: MessageBus, context: ContextService): void;
  opening?: () => Promise<string>;
  beforeTurn?: ClientOptions['beforeTurn'];
  bounds: AgentBounds;
  finalAnswerCheck: FinalAnswerCheck;
  recording?: ChatRecordingService;
}

/** What the system prompt and the first message of a run tell about the session. */
export interface RunFacts {
  /** Date, system, folders, tree. */
  environment: string;
  /** The user's own instructions. */
  userMemory: string;
  /** The instructions of the project, for the first message. */
  projectMemory: string;
  /** The list of skills as the model reads it; empty: none. */
  skills: string;
  isPlanMode: boolean;
  /** Values of `${cliVersion}`, `${activeModel}`, `${today}`. */
  values: Readonly<Record<string, string>>;
}

/** Where a run works when it is not the project's folder. */
export interface RunFolder {
  path: string;
  /** What is left of its work, for the report; undefined: nothing changed, and the folder is gone. */
  close(): Promise<string | undefined>;
}

export interface RunTranscript {
  service: ChatRecordingService;
  /** Records the loop's events and history. */
  attach(loop: AgentLoop): void;
  close(): void;
}

export interface RunPorts {
  events: EventStream;
  clock: Clock;
  compose(setup: LoopSetup, folder: RunFolder | undefined): Promise<AgentLoop>;
  /** Registers whatever the main agent may use, on the run's own bus. @param named entries of the definition's list */
  registerTools(
    registry: ToolRegistry,
    bus: MessageBus,
    named: readonly string[],
    folder: RunFolder | undefined,
  ): void;
  modelFor(definition: LocalAgentDefinition): Promise<Pick<LoopSetup, 'model' | 'settings'>>;
  facts(definition: LocalAgentDefinition, model: string, folder: RunFolder | undefined): Promise<RunFacts>;
  /** Undefined: nothing is recorded. */
  transcript(run: { agentId: string; agentName: string; callId?: string }): RunTranscript | undefined;
  /** Names of all agents: none of them is a tool of another one. */
  agentNames(): string[];
  /** Masks secrets in what users see of a run. */
  mask<T>(value: T): T;
  newId(): string;
  /** What the user typed for the running request and the main agent has not got yet, and what comes during the run. */
  hints: { pending(): readonly string[]; subscribe(listener: (text: string) => void): () => void };
  /** Opens a folder apart from the project's. @throws what git lacks */
  openFolder?(definition: LocalAgentDefinition, agentId: string): Promise<RunFolder>;
  /** Connects servers for one run. Absent: agents have none of their own. */
  openServers?(servers: Readonly<Record<string, unknown>>, scene: AgentRunScene): Promise<AgentRunTools>;
}
