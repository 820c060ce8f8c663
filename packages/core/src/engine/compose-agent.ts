/**
 * One agent: its own view of the tools, bus, scheduler, context, prompts, limits and loop, on an engine that it shares
 * with all others. The main agent and every other agent are created here.
 */
import type { AgentBounds } from '../agent/agent-limits.js';
import { AgentLimits } from '../agent/agent-limits.js';
import { AgentSession } from '../agent/agent-session.js';
import type { FinalAnswerCheck } from '../agent/chat/final-answer-check.js';
import { RequestBuilder } from '../agent/chat/request-builder.js';
import { type ContextPort, compressionPort, type RecordedHistory } from '../agent/context-keeper.js';
import { type AgentModel, type ClientOptions, GeminiClient } from '../agent/gemini-client.js';
import type { HookPorts } from '../agent/hook-ports.js';
import type { LoopJudge } from '../agent/prompt-loop.js';
import { Scheduler, type SchedulerOptions } from '../agent/scheduler/scheduler.js';
import type { DecisionSource, MessageBus } from '../bus/message-bus.js';
import { deriveBus } from '../bus/subagent-bus.js';
import type { ContextService } from '../context/context-service.js';
import type { GenerationSettings } from '../model/content-generator.js';
import { type AgentRef, MAIN_AGENT } from '../protocol/agent-events.js';
import type { ChatRecordingService } from '../sessions/recording/chat-recording-service.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { Kind } from '../tools/tools.js';
import { approvalPorts } from './approvals.js';
import { type ContextServices, composeContext } from './compose-context.js';
import { outputThreshold } from './derived-settings.js';
import type { Engine } from './engine.js';

/** What differs between agents; everything else is the same for all. */
export interface AgentSetup {
  name: string;
  /** The agent whose tool call starts this one; absent: the main agent, or one in the background. */
  parent?: Pick<Agent, 'ref' | 'bus'>;
  /** True: the conversation with the user. One per engine. */
  isMain?: boolean;
  model: AgentModel;
  settings: (model: string, isRetry: boolean) => GenerationSettings;
  systemInstruction: (model: string, tools: ToolRegistry) => string;
  /** Registers the tools it may use, on its own bus. */
  registerTools(registry: ToolRegistry, bus: MessageBus, context: ContextService): void;
  /** The first message (date, folder, platform). */
  opening?: () => Promise<string>;
  /** Checks what has changed since the last prompt. */
  beforePrompt?: () => Promise<void>;
  /** Awaited before each model request. */
  beforeTurn?: ClientOptions['beforeTurn'];
  /** See `ClientOptions`. */
  promptContext?: ClientOptions['promptContext'];
  untilToolsReady?: (signal: AbortSignal) => Promise<void>;
  /** Limits of a sub-agent; the main agent has those of the session. */
  bounds?: AgentBounds;
  finalAnswerCheck?: FinalAnswerCheck;
  judge?: LoopJudge;
  /** Decides instead of the user's policy: for agents whose tools are confined by their host. */
  decisions?: DecisionSource;
  /** Absent: those of the session. */
  hooks?: HookPorts;
  /** Rules and todos that are repeated word for word after a summary. */
  reminders?: () => string[];
  /** Where the conversation is recorded; absent: nowhere. */
  recording?: ChatRecordingService;
  recordedBeforeCompression?: RecordedHistory;
  saveHistory?: () => void;
  contextFor?: SchedulerOptions['contextFor'];
  rewriteArgs?: SchedulerOptions['rewriteArgs'];
  standIn?: SchedulerOptions['standIn'];
  /** Absent: its changes cannot be undone. */
  snapshots?: SchedulerOptions['snapshots'];
  /** Characters of one result that reach the model; absent: by settings and window. 0: the tools limit it themselves. */
  outputThreshold?: number;
  /** True: secrets are redacted for its model even where the user lets the main one see them. */
  alwaysMasks?: boolean;
  /** Tries per request; absent: as the user set. */
  maxAttempts?: number;
  disableLoopDetection?: boolean;
}

export interface Agent {
  ref: AgentRef;
  bus: MessageBus;
  tools: ToolRegistry;
  scheduler: Scheduler;
  context: ContextServices;
  client: GeminiClient;
  session: AgentSession;
  close(): void;
}

export async function composeAgent(engine: Engine, definition: AgentSetup): Promise<Agent> {
  const { project, models, events, clock, storage, redactor, policy, toolKinds } = engine;
  const { parameters } = project;
  const { hooks = engine.hooks, model, name } = definition;
  const ref = definition.isMain ? MAIN_AGENT : newRef(engine, name, definition.parent?.ref);
  const bus = definition.isMain
    ? engine.bus
    : deriveBus(definition.parent?.bus ?? engine.bus, name, { decisions: definition.decisions });
  const context = await composeContext({
    models,
    model: () => model.model,
    settings: parameters,
    storage,
    redactor,
    clock,
    sessionId: () => project.sessionId,
    reminders: definition.reminders ?? (() => []),
    isRecorded: () => definition.recording?.isRecording ?? false,
    beforeCompress: compressionPort(hooks, ref),
    recorder: engine.recorder,
  });
  const tools = new ToolRegistry(
    definition.decisions ? { isAlwaysDenied: () => false } : policy,
    ({ name: toolName, kind }) => {
      // Agents may have tools of the same name: if one of them edits, policy treats all as edits.
      if (toolKinds.get(toolName) !== Kind.Edit) toolKinds.set(toolName, kind);
    },
  );
  definition.registerTools(tools, bus, context.manager);

  const mask = (text: string) =>
    project.parameters.maskSecretsForModel || definition.alwaysMasks ? redactor.redact(text) : text;
  const scheduler = new Scheduler({
    registry: tools,
    messageBus: bus,
    agent: ref,
    hooks,
    now: clock.now,
    snapshots: engine.sharedFiles.forAgent(ref, definition.snapshots),
    contextFor: definition.contextFor,
    rewriteArgs: definition.rewriteArgs,
    standIn: definition.standIn,
    journal: definition.isMain ? parameters.callJournal : undefined,
    summarize: async (output, signal) => {
      const { summarizeToolOutput: budgets } = project.parameters;
      if (!Object.hasOwn(budgets, output.toolName)) return undefined;
      const { summarizeOutput } = await import('../tools/summarize-output.js');
      const estimateTokens = context.estimateText;
      const { utility } = models;
      return summarizeOutput(output, { budgets, utility, mainModel: model.model, estimateTokens }, signal);
    },
    approvals: approvalPorts(project, policy, engine.ide.openDiff),
    outputLimits: () => ({
      threshold:
        definition.outputThreshold ??
        outputThreshold(project.parameters, models.catalog.contextWindow(model.model)),
      directory: storage.getToolOutputDir(project.sessionId),
      redact: mask,
      redactForDisk: (text) => redactor.redact(text),
    }),
  });
  const requests = new RequestBuilder({
    role: definition.isMain ? 'main' : 'subagent',
    ...(!definition.isMain && { agent: name }),
    tools: (modelId) =>
      tools.getFunctionDeclarations(modelId, {
        contextWindow: models.catalog.contextWindow(modelId),
        deferAbove: project.parameters.deferToolsAbove,
        estimateTokens: context.estimateText,
      }),
    systemInstruction: (modelId) => definition.systemInstruction(modelId, tools),
    settings: definition.settings,
  });
  const client = new GeminiClient(models.generator, {
    agent: ref,
    hooks,
    joinsChunks: !parameters.fakeResponses && !parameters.contentGenerator,
    scheduler,
    limits: definition.isMain ? models.limits : new AgentLimits(models.limits, definition.bounds ?? {}),
    clock,
    random: Math.random,
    maxAttempts: definition.maxAttempts ?? parameters.maxAttempts,
    models: model,
    requests,
    context: context.manager satisfies ContextPort,
    ...portsOf(definition),
    telemetry: engine.recorder,
    isInteractive: parameters.interactive,
    retryNetworkErrors: parameters.retryNetworkErrors,
    disableLoopDetection: definition.disableLoopDetection ?? parameters.disableLoopDetection,
  });
  const session = new AgentSession({
    agent: ref,
    client,
    events,
    hooks,
    sessionId: () => project.sessionId,
    model: () => model.model,
    limits: models.limits,
    isInteractive: parameters.interactive,
    allowsSteering: () => project.parameters.modelSteering,
  });
  return {
    ref,
    bus,
    tools,
    scheduler,
    context,
    client,
    session,
    close: () => {
      session.abort();
      context.manager.dispose?.();
    },
  };
}

function newRef({ nextAgent }: Engine, name: string, parent?: AgentRef): AgentRef {
  return { id: `${name}-${nextAgent()}`, name, ...(parent && { parentId: parent.id }) };
}

/** The client options that the definition sets. */
function portsOf(definition: AgentSetup): Partial<ClientOptions> {
  const {
    recording,
    recordedBeforeCompression,
    saveHistory,
    opening,
    beforePrompt,
    beforeTurn,
    promptContext,
    untilToolsReady,
    judge,
    finalAnswerCheck,
  } = definition;
  return {
    ...(recording && { recording }),
    ...(recordedBeforeCompression && { recordedBeforeCompression }),
    ...(saveHistory && { saveHistory }),
    ...(opening && { sessionContext: opening }),
    ...(beforePrompt && { beforePrompt }),
    ...(beforeTurn && { beforeTurn }),
    ...(promptContext && { promptContext }),
    ...(untilToolsReady && { untilToolsReady }),
    ...(judge && { judge }),
    ...(finalAnswerCheck && { finalAnswerCheck }),
  };
}
