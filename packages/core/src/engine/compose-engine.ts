/**
 * What all agents of a project share: connections, models, ledger and budget, policy, commands, storage, telemetry.
 * Built in the order of dependencies; each part names the few values it needs.
 */
import { realpathSync } from 'node:fs';
import { Closers } from '../base/closers.js';
import { FatalConfigError, messageOf } from '../base/errors.js';
import { Late } from '../base/late.js';
import type { EventStream } from '../bus/event-stream.js';
import { MessageBus } from '../bus/message-bus.js';
import { DEFAULT_MODEL } from '../model/catalog.js';
import { type Clock, systemClock } from '../platform/clock.js';
import type { Environment } from '../platform/environment.js';
import { type FileSystemService, StandardFileSystemService } from '../platform/files/file-system.js';
import { HttpClient } from '../platform/net/http.js';
import { Redactor } from '../platform/redaction/redact.js';
import type { CommandContainment } from '../platform/sandbox/containment/command-containment.js';
import type { ToolSandbox } from '../platform/sandbox/tool-sandbox.js';
import { ShellExecutionService } from '../platform/shell/shell-service.js';
import type { ShellSettings } from '../platform/shell/shell-settings.js';
import { storageOf } from '../platform/storage/project-id.js';
import type { Storage } from '../platform/storage/storage.js';
import { ModeState } from '../policy/mode-state.js';
import type { PolicyEngine } from '../policy/policy-engine.js';
import { ApprovalMode, MessageBusType } from '../protocol/confirmation.js';
import type { Message } from '../protocol/messages.js';
import type { Kind } from '../protocol/tool-declaration.js';
import type { Telemetry } from '../telemetry/start.js';
import { FileDiscoveryService } from '../workspace/file-discovery.js';
import type { FileFilteringOptions } from '../workspace/host.js';
import { ignoreFileProblems } from '../workspace/ignore-problems.js';
import { createPathAccess, type PathAccess } from '../workspace/path-access.js';
import { WorkspaceContext } from '../workspace/workspace-context.js';
import { composeConseca, type TaskJudge } from './compose-conseca.js';
import { composeModels, type ModelServices } from './compose-models.js';
import { composePolicy, policyListsFrom } from './compose-policy.js';
import { composeSandbox } from './compose-sandbox.js';
import { composeSnapshots, type SnapshotServices } from './compose-snapshots.js';
import { startTelemetryFor } from './compose-telemetry.js';
import { filteringFrom, httpLimits, shellSettingsFrom } from './derived-settings.js';
import type { CompleteParameters } from './parameters.js';
import type { Project } from './project.js';
import { SessionContainment } from './session-containment.js';

export interface Engine {
  project: Project;
  /** The project's root, with links resolved. */
  targetDir: string;
  environment: Environment;
  clock: Clock;
  events: EventStream;
  redactor: Redactor;
  telemetry: Telemetry | undefined;
  modes: ModeState;
  models: ModelServices;
  storage: Storage;
  workspaceContext: WorkspaceContext;
  pathAccess: PathAccess;
  fileSystem: FileSystemService;
  fileService: FileDiscoveryService;
  fileFiltering: FileFilteringOptions;
  shellSettings: ShellSettings;
  shell: ShellExecutionService;
  /** Undefined while commands are not sandboxed. */
  toolSandbox: () => ToolSandbox | undefined;
  /** The sandbox for commands that run without a question. */
  containment: CommandContainment;
  policy: PolicyEngine;
  /** State of the checker `conseca`, filled by the main agent. */
  taskJudge: TaskJudge;
  bus: MessageBus;
  /** Undefined: changes are not saved. */
  snapshots: SnapshotServices | undefined;
  /** The kind of every registered tool, for policy. */
  toolKinds: Map<string, Kind>;
  nextAgent(): number;
  /** The main agent's history, for checkers and records. */
  conversation: Late<() => readonly Message[]>;
  /** Applies what changed in a running session. */
  apply(parameters: CompleteParameters): void;
  close(): Promise<void>;
}

export interface EngineOptions {
  /** The only part of the outside that tests replace. */
  clock?: Clock;
  /** Aborting withdraws questions of the start. */
  signal?: AbortSignal;
}

/** Closes everything if the start fails. */
export async function composeEngine(project: Project, options: EngineOptions = {}): Promise<Engine> {
  const closers = new Closers();
  try {
    return await compose(project, options, closers);
  } catch (error) {
    // The user sees the first error, not errors while closing.
    await closers.close().catch(() => undefined);
    throw error;
  }
}

async function compose(
  project: Project,
  { clock = systemClock, signal }: EngineOptions,
  closers: Closers,
): Promise<Engine> {
  const { parameters, environment, events } = project;
  const { variables } = environment;
  const targetDir = realDirectory(parameters.targetDir);
  const storage = storageOf(variables, targetDir);
  const http = new HttpClient(httpLimits(variables), variables);
  closers.add(() => http.close());
  const redactor = new Redactor();
  redactor.addEnvironment(variables);
  const modes = new ModeState(parameters.approvalMode ?? ApprovalMode.DEFAULT);
  const authType = new Late<string | undefined>('The sign-in');
  const telemetry = await startTelemetryFor({
    parameters,
    environment,
    redact: (text) => redactor.redact(text),
    warn: project.notice,
    approvalMode: () => modes.current,
    authType: () => authType.ifSet,
  });
  closers.add(() => telemetry?.shutdown());
  const models = await composeModels({
    parameters,
    environment,
    requestedModel: () => project.parameters.model || DEFAULT_MODEL,
    requestModel: (model) => project.change({ model }),
    clock,
    http,
    redactor,
    notice: project.notice,
    onUtilityCall: (call) => void events.emit({ type: 'usage', ...call }),
    observe: ({ generator, provider = 'gcp.gemini' }) =>
      telemetry?.observeModel(generator, { provider }) ?? generator,
  });
  authType.set(models.first.authType);

  const extraDirectories = parameters.includeDirectories.map(realDirectory);
  const workspaceContext = new WorkspaceContext(targetDir, extraDirectories);
  const fileFiltering = filteringFrom(parameters);
  const fileService = new FileDiscoveryService(targetDir, fileFiltering, storage.getGlobalGeminiDir());
  for (const line of ignoreFileProblems(targetDir, fileFiltering)) project.notice(line);
  const shellSettings = shellSettingsFrom(parameters);
  const shell = new ShellExecutionService({
    logDirectory: storage.getBackgroundProcessDir(),
    variables,
    createMask: () => redactor.stream(),
  });
  closers.add(() => shell.killAll());

  const containment = new SessionContainment({ environment, storage, targetDir, workspaceContext });
  const closing = new AbortController();
  signal?.addEventListener('abort', () => closing.abort(), { once: true });
  const toolKinds = new Map<string, Kind>();
  const conversation = new Late<() => readonly Message[]>('The conversation');
  const taskJudge = composeConseca({
    events,
    utility: models.utility,
    recorder: telemetry?.recorder,
    notice: project.notice,
  });
  closers.add(() => taskJudge.close());
  const policies = await composePolicy({
    parameters: () => project.parameters,
    environment,
    isTrusted: () => project.isTrusted,
    targetDir,
    storage,
    modes,
    directories: () => workspaceContext.getDirectories(),
    notice: project.notice,
    acceptWorkspace: async (change) => {
      const reply = await events.ask({ kind: 'workspace_policies', ...change }, { signal: closing.signal });
      return reply.status === 'answered' && reply.answer;
    },
    kindOf: (name) => toolKinds.get(name),
    commandOfProcess: (pid) => shell.commandOf(pid),
    history: () => [...(conversation.ifSet?.() ?? [])],
    judgeTask: taskJudge.judge,
    containment,
  });
  closers.add(() => policies.close());
  closers.add(() => closing.abort());
  const bus = new MessageBus(policies.engine, events.questions);
  closers.add(() => bus.close());
  bus.subscribe(MessageBusType.UPDATE_POLICY, (update) => policies.engine.applyUpdate(update));
  const snapshots = composeSnapshots({
    parameters,
    sessionId: () => project.sessionId,
    path: variables['PATH'],
    storage,
    directories: () => workspaceContext.getDirectories(),
    redact: (text) => redactor.redact(text),
    notice: project.notice,
  });
  closers.add(() => snapshots?.close());
  const toolSandbox = composeSandbox({
    parameters: () => project.parameters,
    isTrusted: () => project.isTrusted,
    environment,
    storage,
    targetDir,
    workspaceContext,
    approvalMode: () => modes.current,
    notice: project.notice,
  });

  let agents = 0;
  return {
    project,
    targetDir,
    environment,
    clock,
    events,
    redactor,
    telemetry,
    modes,
    models,
    storage,
    workspaceContext,
    pathAccess: createPathAccess(workspaceContext, storage),
    fileSystem: parameters.fileSystem ?? new StandardFileSystemService(),
    fileService,
    fileFiltering,
    shellSettings,
    shell,
    toolSandbox,
    containment,
    policy: policies.engine,
    taskJudge,
    bus,
    snapshots,
    toolKinds,
    conversation,
    nextAgent: () => ++agents,
    apply: (next) => {
      policies.engine.configure(policyListsFrom(next));
      void policies.refresh();
      workspaceContext.setExtraDirectories(next.includeDirectories.map(realDirectory));
      // Changed in place: the tools hold these objects.
      Object.assign(fileFiltering, filteringFrom(next));
      Object.assign(shellSettings, shellSettingsFrom(next));
    },
    close: () => closers.close(),
  };
}

function realDirectory(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new FatalConfigError(`The directory "${path}" cannot be used: ${messageOf(error)}`, error);
  }
}
