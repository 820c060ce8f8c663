/** Builds all services in the order of their dependencies. Reads like a wiring list. */
import { realpathSync } from 'node:fs';
import { AgentSession } from '../agent/agent-session.js';
import { GeminiClient } from '../agent/gemini-client.js';
import { ModelJudge } from '../agent/loops/model-judge.js';
import { RequestBuilder } from '../agent/request-builder.js';
import { Scheduler } from '../agent/scheduler/scheduler.js';
import { FatalConfigError, messageOf } from '../base/errors.js';
import { EventStream } from '../bus/event-stream.js';
import { MessageBus } from '../bus/message-bus.js';
import type { ContextService } from '../context/context-service.js';
import type { MemoryContextManager } from '../memory/context-files.js';
import { DEFAULT_MODEL } from '../model/catalog.js';
import { systemClock } from '../platform/clock.js';
import { type FileSystemService, StandardFileSystemService } from '../platform/file-system.js';
import { HttpClient, type HttpLimits } from '../platform/http.js';
import { storageOf } from '../platform/project-id.js';
import { Redactor } from '../platform/redact.js';
import type { ToolSandbox } from '../platform/sandbox/tool-sandbox.js';
import { ShellExecutionService } from '../platform/shell-service.js';
import { DEFAULT_SHELL_SETTINGS, type ShellSettings } from '../platform/shell-settings.js';
import type { Storage } from '../platform/storage.js';
import type { PolicyEngine } from '../policy/policy-engine.js';
import { describeSurroundings } from '../prompts/session-context.js';
import { MAIN_AGENT } from '../protocol/agent-events.js';
import { MessageBusType } from '../protocol/confirmation.js';
import type { ChatRecordingService } from '../sessions/chat-recording-service.js';
import { registerBuiltinTools } from '../tools/catalog.js';
import { DEFAULT_OUTPUT_THRESHOLD } from '../tools/output-limit.js';
import { RecallTurnTool } from '../tools/recall-turn/recall-turn.js';
import { SearchToolsTool } from '../tools/search-tools/search-tools.js';
import { watchBackgroundCompletion } from '../tools/shell/background-completion.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { FileDiscoveryService } from '../workspace/file-discovery.js';
import { describeFolder } from '../workspace/folder-structure.js';
import type { FileFilteringOptions } from '../workspace/host.js';
import { createPathAccess, type PathAccess } from '../workspace/path-access.js';
import { WorkspaceContext } from '../workspace/workspace-context.js';
import { composeApprovals } from './compose-approvals.js';
import { type AutoMemoryServices, composeAutoMemory } from './compose-auto-memory.js';
import type { CheckpointServices } from './compose-checkpoints.js';
import { composeContext } from './compose-context.js';
import { composeMemory } from './compose-memory.js';
import { composeModels, lastWordOf, type ModelServices } from './compose-models.js';
import { composePolicy, policyListsFrom } from './compose-policy.js';
import { composePrompts } from './compose-prompts.js';
import { composeRecording } from './compose-recording.js';
import { composeSandbox } from './compose-sandbox.js';
import { composeSnapshots } from './compose-snapshots.js';
import { observeSession, startTelemetryFor } from './compose-telemetry.js';
import type { Config } from './config.js';
import type { ConfigParameters } from './parameters.js';
import { warmUpForCommands } from './warm-up.js';

export interface Services {
  targetDir: string;
  models: ModelServices;
  context: ContextService;
  memory: MemoryContextManager;
  autoMemory: AutoMemoryServices;
  storage: Storage;
  workspaceContext: WorkspaceContext;
  pathAccess: PathAccess;
  fileSystemService: FileSystemService;
  fileService: FileDiscoveryService;
  fileFiltering: FileFilteringOptions;
  shellSettings: ShellSettings;
  shellExecutionService: ShellExecutionService;
  /** Nothing while commands are not sandboxed. */
  toolSandbox: () => ToolSandbox | undefined;
  policyEngine: PolicyEngine;
  messageBus: MessageBus;
  toolRegistry: ToolRegistry;
  client: GeminiClient;
  session: AgentSession;
  events: EventStream;
  redactor: Redactor;
  recording: ChatRecordingService | undefined;
  /** Loaded when somebody asks. */
  checkpoints: () => Promise<CheckpointServices>;
  authType: string | undefined;
  /** Takes over what changed in a running session. */
  apply(parameters: ConfigParameters): void;
  shutdown(): Promise<void>;
}

const DEFAULT_MAX_ATTEMPTS = 10;
/** So long a user has to answer a command that waits; then the model is told. */
const TAKE_OVER_MS = 20_000;
const TREE_ITEMS = 200;
const DEFAULT_DEFER_ABOVE = 0.1;

export async function compose(config: Config): Promise<Services> {
  const { parameters } = config;
  const clock = systemClock;
  const events = parameters.events ?? new EventStream();
  const targetDir = realDirectory(parameters.targetDir);
  const environment = config.getEnvironment();
  const http = new HttpClient(httpLimits(environment.variables), environment.variables);
  const redactor = new Redactor();
  redactor.addEnvironment(environment.variables);
  const telemetry = await startTelemetryFor(config, redactor, {
    approvalMode: () => policyEngine.getApprovalMode(),
    authType: () => models.first.authType,
  });
  const models = await composeModels({
    parameters,
    environment,
    requestedModel: () => config.parameters.model || DEFAULT_MODEL,
    clock,
    http,
    redactor,
    approvalMode: () => policyEngine.getApprovalMode(),
    hasApprovedPlan: () => config.getApprovedPlanPath() !== undefined,
    onUtilityCall: (call) => void events.emit({ type: 'usage', ...call }),
    observe: ({ generator, provider = 'gcp.gemini' }) =>
      telemetry?.observeModel(generator, { provider }) ?? generator,
  });

  const conversation = () => (client.isInitialized() ? client.getChat().getHistory() : []);
  const storage = storageOf(environment.variables, targetDir);
  const recording = composeRecording(config, {
    targetDir,
    storage,
    redactor,
    conversation,
    addDirectory: (path) => workspaceContext.addDirectory(path),
  });
  const extraDirectories = (parameters.includeDirectories ?? []).map(realDirectory);
  const workspaceContext = new WorkspaceContext(targetDir, extraDirectories);
  const fileFiltering = filteringFrom(parameters);
  const fileService = new FileDiscoveryService(targetDir, fileFiltering, storage.getGlobalGeminiDir());
  const memory = composeMemory(config, { targetDir, storage, workspaceContext, fileService, redactor });
  const shellSettings = shellSettingsFrom(parameters);
  const shellExecutionService = new ShellExecutionService({
    logDirectory: storage.getBackgroundProcessDir(),
    variables: environment.variables,
    createMask: () => redactor.stream(),
  });

  const policies = await composePolicy({
    config,
    targetDir,
    storage,
    workspaceContext,
    kindOf: (name) => toolRegistry.getTool(name)?.kind,
    commandOfProcess: (pid) => shellExecutionService.commandOf(pid),
    history: () => [...conversation()],
  });
  const policyEngine = policies.engine;
  const messageBus = new MessageBus(policyEngine, events.questions);
  messageBus.subscribe(MessageBusType.UPDATE_POLICY, (update) => policyEngine.applyUpdate(update));

  const toolRegistry = new ToolRegistry(policyEngine);
  registerBuiltinTools(toolRegistry, config, messageBus, parameters);

  const snapshots = composeSnapshots(config, {
    storage,
    directories: () => workspaceContext.getDirectories(),
    redact: (text) => redactor.redact(text),
    checkpoints: () => checkpoints(),
  });
  const checkpoints = once(async () => {
    const { composeCheckpoints } = await import('./compose-checkpoints.js');
    const open = snapshots && { openSnapshots: snapshots.open };
    return composeCheckpoints(config, {
      client,
      session,
      storage,
      redactor,
      fileService,
      recording,
      ...open,
    });
  });
  const scheduler = new Scheduler({
    registry: toolRegistry,
    messageBus,
    now: clock.now,
    snapshots: snapshots?.calls,
    contextFor: (paths) => memory.forPaths(paths),
    approvals: composeApprovals(config, policyEngine),
    outputLimits: () => ({
      threshold: outputThreshold(config.parameters, models.catalog.contextWindow(models.choice.model)),
      directory: storage.getToolOutputDir(config.getSessionId()),
      redact: (text) => config.maskForModel(text),
      redactForDisk: (text) => redactor.redact(text),
    }),
  });
  const context = await composeContext({
    config,
    models,
    storage,
    redactor,
    memory,
    history: conversation,
    isRecorded: () => recording?.service.isRecording ?? false,
  });
  // Beside the catalog: both come and go by themselves, and no list can take them away.
  toolRegistry.registerTool(new SearchToolsTool(toolRegistry, messageBus));
  toolRegistry.registerTool(new RecallTurnTool(context.manager, messageBus), () =>
    context.manager.hasArchive(),
  );
  const prompts = composePrompts(config, { policyEngine, toolRegistry, memory, targetDir });
  const requests = new RequestBuilder({
    tools: (model) =>
      toolRegistry.getFunctionDeclarations(model, {
        contextWindow: models.catalog.contextWindow(model),
        deferAbove: config.parameters.deferToolsAbove ?? DEFAULT_DEFER_ABOVE,
        estimateTokens: context.estimateText,
      }),
    systemInstruction: prompts,
    settings: (model, isRetry) => models.configs.forChat(model, { isRetry }).settings,
  });
  const client = new GeminiClient(models.generator, {
    scheduler,
    limits: models.limits,
    clock,
    random: Math.random,
    maxAttempts: parameters.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
    models: models.choice,
    requests,
    context: context.manager,
    ...(recording && { recordedBeforeCompression: recording.beforeCompression }),
    sessionContext: async () =>
      describeSurroundings({
        date: new Date(clock.now()),
        projectTempDir: storage.getProjectTempDir(),
        directories: workspaceContext.getDirectories(),
        tree:
          parameters.includeDirectoryTree === false
            ? ''
            : describeFolder(targetDir, fileService, { maxItems: TREE_ITEMS }),
        memory: await memory.opening(),
      }),
    beforePrompt: async () => void (await memory.refresh()),
    isInteractive: parameters.interactive,
    retryNetworkErrors: parameters.retryNetworkErrors,
    disableLoopDetection: parameters.disableLoopDetection,
    judge: parameters.disableLoopDetection
      ? undefined
      : new ModelJudge(models.utility, () => models.choice.model),
    lastWord: await lastWordOf(parameters, models.utility),
  });
  const session = new AgentSession({
    agent: MAIN_AGENT,
    client,
    events,
    sessionId: () => config.getSessionId(),
    model: () => config.getModel(),
    isInteractive: parameters.interactive,
  });
  await recording?.attach(session, client, context.firstThatFits);
  const autoMemory = composeAutoMemory(config, {
    targetDir,
    storage,
    memory,
    models,
    redactor,
    note: (event) => void events.emit(event),
  });
  warmUpForCommands({ session, policyEngine, toolRegistry, shellExecutionService });
  const { onBackgroundCompleted } = parameters;
  if (onBackgroundCompleted) {
    watchBackgroundCompletion(
      shellExecutionService,
      () => shellSettings.backgroundCompletionBehavior,
      onBackgroundCompleted,
    );
  }
  if (telemetry)
    await observeSession(telemetry, session, config, policyEngine.getApprovalMode(), models.choice.model);

  return {
    targetDir,
    models,
    context: context.manager,
    memory,
    autoMemory,
    storage,
    workspaceContext,
    pathAccess: createPathAccess(workspaceContext, storage),
    fileSystemService: parameters.fileSystem ?? new StandardFileSystemService(),
    fileService,
    fileFiltering,
    shellSettings,
    shellExecutionService,
    toolSandbox: composeSandbox({
      config,
      environment,
      storage,
      targetDir,
      workspaceContext,
      approvalMode: () => policyEngine.getApprovalMode(),
      notice: (message) => config.parameters.onNotice?.(message),
    }),
    policyEngine,
    messageBus,
    toolRegistry,
    client,
    session,
    events,
    redactor,
    recording: recording?.service,
    checkpoints,
    authType: models.first.authType,
    apply: (next) => {
      policyEngine.configure(policyListsFrom(next));
      void policies.refresh();
      registerBuiltinTools(toolRegistry, config, messageBus, next);
      workspaceContext.setExtraDirectories((next.includeDirectories ?? []).map(realDirectory));
      // Both are shared by all who use them.
      Object.assign(fileFiltering, filteringFrom(next));
      Object.assign(shellSettings, shellSettingsFrom(next));
    },
    shutdown: async () => {
      session.abort();
      context.manager.dispose?.();
      await autoMemory.stop();
      await recording?.close();
      await policies.close();
      await snapshots?.close();
      await shellExecutionService.killAll();
      http.close();
      await telemetry?.shutdown();
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Characters of one result: what the user set, but never more than about a quarter of a small window. */
function outputThreshold({ truncateToolOutputThreshold }: ConfigParameters, windowTokens: number): number {
  const wanted = truncateToolOutputThreshold ?? DEFAULT_OUTPUT_THRESHOLD;
  return wanted > 0 ? Math.min(wanted, windowTokens) : wanted;
}

/** Slow models on one's own machine may need longer; others want to know sooner. */
function httpLimits(env: NodeJS.ProcessEnv): Partial<HttpLimits> {
  const silence = secondsIn(env['GEMINI_CLI_STREAM_TIMEOUT']);
  const total = secondsIn(env['GEMINI_CLI_REQUEST_TIMEOUT']);
  return {
    ...(silence && { firstByteMs: silence, silenceMs: silence }),
    ...(total && { totalMs: total }),
  };
}

function secondsIn(text: string | undefined): number | undefined {
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}

function realDirectory(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new FatalConfigError(`The directory "${path}" cannot be used: ${messageOf(error)}`, error);
  }
}

function filteringFrom({ fileFiltering }: ConfigParameters): FileFilteringOptions {
  return {
    respectGitIgnore: fileFiltering?.respectGitIgnore ?? true,
    respectGeminiIgnore: fileFiltering?.respectGeminiIgnore ?? true,
    customIgnoreFilePaths: fileFiltering?.customIgnoreFilePaths ?? [],
  };
}

function shellSettingsFrom({
  shell,
  interactive,
  environmentRedaction: redaction,
}: ConfigParameters): ShellSettings {
  return {
    ...DEFAULT_SHELL_SETTINGS,
    ...(shell?.hasScreen && { interactive: true, waitingAfterMs: TAKE_OVER_MS }),
    backgroundAfterSeconds: interactive ? (shell?.backgroundAfterSeconds ?? 0) : 0,
    environmentRedaction: {
      enabled: redaction?.enabled ?? false,
      allowed: redaction?.allowed ?? [],
      blocked: redaction?.blocked ?? [],
    },
    ...(shell?.enableInteractiveShell !== undefined && {
      enableInteractiveShell: shell.enableInteractiveShell,
    }),
    ...(shell?.inactivityTimeout !== undefined && { inactivityTimeoutSeconds: shell.inactivityTimeout }),
    ...(shell?.backgroundCompletionBehavior !== undefined && {
      backgroundCompletionBehavior: shell.backgroundCompletionBehavior,
    }),
    ...(shell?.pager !== undefined && { pager: shell.pager }),
    ...(shell?.showColor !== undefined && { showColor: shell.showColor }),
  };
}
