/** Starts the engine of a session with all that its agent brings. Loaded with the first session. */
import {
  type AgentEvent,
  Config,
  compileProgramRules,
  EventStream,
  type RuntimeHook,
} from '@gemini-cli/core';
import { agentDefinition } from '../additions/agent-definition.js';
import { addSkills } from '../additions/skill-tools.js';
import { answerQuestions } from '../approvals/answer-questions.js';
import { createContext } from '../context/session-context.js';
import type { SessionContext } from '../context/types.js';
import { SdkTool } from '../tools/program-tool.js';
import type { ToolBox } from '../tools/tool-box.js';
import { type Additions, additionsOf, instructionText } from './additions.js';
import type { GeminiCliAgent } from './agent.js';
import { writeDebugLog } from './debug-log.js';
import type { OpenRequest } from './open-session.js';
import { openFolder } from './project.js';
import type { GeminiCliSession } from './session.js';
import type { Opened } from './session-engine.js';

export interface StartParts {
  agent: GeminiCliAgent;
  session: GeminiCliSession;
  request: OpenRequest;
  newId: string;
  tools: ToolBox;
  lifetime: AbortSignal;
  /** The engine exists: hooks at the start of the session may use it. */
  onOpened(opened: Opened): void;
}

export async function startEngine(parts: StartParts): Promise<Opened> {
  const { agent, session, request, newId, tools, lifetime } = parts;
  const { options } = agent;
  const additions = additionsOf(options);
  const events = request.events ?? new EventStream();
  const releases: (() => void)[] = [];
  const release = () => {
    for (const stop of releases.splice(0)) stop();
  };
  const early: string[] = [];
  releases.push(keepNotices(events, early));
  let config: Config | undefined;
  try {
    await tools.add(additions.tools);
    await tools.ready();
    const project = await openFolder({ options, request, events, newId });
    for (const warning of additions.warnings) events.notice(warning);
    const engine = new Config(project);
    config = engine;
    const contextOf = (signal: AbortSignal): SessionContext =>
      createContext({ agent, session, config: engine, events, signal });
    const opened: Opened = { config: engine, events, contextOf, release, takeNotices: () => early.splice(0) };
    const skills = addSkills(additions.skills, {
      cwd: project.parameters.targetDir,
      notice: (message) => events.notice(message),
      tools,
    });
    const { instructions } = additions;
    project.change({
      runtimeHooks: additions.hooks.map((hook): RuntimeHook => runtimeHook(hook, contextOf)),
      program: {
        tools: () => tools.programTools(SdkTool),
        ...(instructions.length > 0 && {
          instructions: (signal: AbortSignal) => instructionText(instructions, contextOf, signal),
        }),
      },
      skillDirs: skills.dirs,
      sessionServers: { ...additions.mcpServers, ...request.mcpServers },
      ...(typeof options.fakeResponses === 'object' && { contentGenerator: options.fakeResponses }),
      ...(options.persist === false
        ? { sessions: undefined }
        : request.parent && { sessions: { ...project.parameters.sessions, parent: request.parent } }),
    });
    request.prepare?.(project);
    if (!request.callerAnswers)
      releases.push(answerQuestions({ events, options, contextOf: () => contextOf(lifetime) }));
    parts.onOpened(opened);
    await engine.initialize();
    if (options.debug) writeDebugLog(engine);
    addRules(engine, additions, options.onAskUser !== undefined || request.callerAnswers === true);
    await tools.attach(engine);
    await skills.attach(engine);
    const registry = engine.getAgentRegistry();
    for (const { definition } of additions.subagents)
      registry.registerAgent(await agentDefinition(definition, { contextOf, session }));
    return opened;
  } catch (error) {
    // Its servers and processes may run already.
    await config?.shutdown().catch(() => undefined);
    release();
    throw error;
  }
}

/** The first prompt tells them. */
function keepNotices(events: EventStream, kept: string[]): () => void {
  return events.subscribe(
    (event: AgentEvent) => {
      if (event.type === 'notice' && !event.isOver) kept.push(event.message);
      if (event.type === 'hook_message') kept.push(`${event.name}: ${event.message}`);
    },
    { content: false },
  );
}

function runtimeHook(
  { definition, runOnWire }: Additions['hooks'][number],
  contextOf: (signal: AbortSignal) => SessionContext,
): RuntimeHook {
  const { event, name, matcher, sequential, timeout, description } = definition;
  return {
    event,
    ...(matcher !== undefined && { matcher }),
    ...(sequential !== undefined && { sequential }),
    hook: {
      type: 'runtime',
      name,
      ...(timeout !== undefined && { timeout }),
      ...(description !== undefined && { description }),
      action: async (input, { signal }) => runOnWire({ ...input }, contextOf(signal)),
    },
  };
}

/** Rules of the program hold for the session. Without a handler for questions the model cannot ask. */
function addRules(config: Config, { policies, restrictions }: Additions, canAsk: boolean): void {
  const warn = (message: string) => config.getEvents().notice(message);
  const policy = config.getPolicyEngine();
  const own = canAsk ? [] : [{ toolName: 'ask_user', decision: 'deny' as const, priority: 999 }];
  policy.addRunRules(
    compileProgramRules([...policies, ...own], {
      tier: 'user',
      source: 'the policies of this program',
      warn,
    }),
  );
  for (const { extension, rules } of restrictions) {
    const source = `the extension "${extension}"`;
    policy.addRunRules(compileProgramRules(rules, { tier: 'extension', source, warn }));
  }
}
