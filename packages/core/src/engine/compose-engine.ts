/**
 * What all agents of a project share: connections, models, ledger and budget, policy, commands, storage, telemetry.
 * Built in the order of dependencies; each part names the few values it needs.
 */

import { realpathSync } from 'node:fs';
import { SharedFiles } from '../agent/shared-files.js';
import { Closers } from '../base/closers.js';
import { FatalConfigError, messageOf } from '../base/errors.js';
import { Late } from '../base/late.js';
import { MessageBus } from '../bus/message-bus.js';
import { DEFAULT_MODEL } from '../model/catalog.js';
import { type Clock, systemClock } from '../platform/clock.js';
import { realPathOf } from '../platform/files/real-path.js';
import { HttpClient } from '../platform/net/http.js';
import { proxyPasswords } from '../platform/net/proxy.js';
import { Redactor } from '../platform/redaction/redact.js';
import { ShellExecutionService } from '../platform/shell/shell-service.js';
import { storageOf } from '../platform/storage/project-id.js';
import { ModeState } from '../policy/mode-state.js';
import { ApprovalMode, MessageBusType } from '../protocol/confirmation.js';
import type { Message } from '../protocol/messages.js';
import type { Kind } from '../protocol/tool-declaration.js';
import { noTelemetry } from '../telemetry/record.js';
import { FileDiscoveryService } from '../workspace/file-discovery.js';
import { ignoreFileProblems } from '../workspace/ignore-problems.js';
import { createPathAccess } from '../workspace/path-access.js';
import { WorkspaceContext } from '../workspace/workspace-context.js';
import { extensionSkillRoots, isExtensionFile } from './active-extensions.js';
import { isAccountVerified } from './ask-about-account.js';
import { composeAgents } from './compose-agents.js';
import { composeConseca } from './compose-conseca.js';
import { composeHooks } from './compose-hooks.js';
import { composeIde } from './compose-ide.js';
import { composeMcp } from './compose-mcp.js';
import { composeMcpAuth } from './compose-mcp-auth.js';
import { composeModels } from './compose-models.js';
import { composePolicy, policyListsFrom } from './compose-policy.js';
import { composeSandbox } from './compose-sandbox.js';
import { composeSkills } from './compose-skills.js';
import { composeSnapshots } from './compose-snapshots.js';
import { startTelemetryFor } from './compose-telemetry.js';
import { filteringFrom, httpLimits, shellSettingsFrom } from './derived-settings.js';
import type { Engine } from './engine.js';
import type { CompleteParameters } from './parameters.js';
import type { Project } from './project.js';
import { SessionContainment } from './session-containment.js';
import { ToolFiles } from './tool-files.js';

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
  const http = new HttpClient(httpLimits(variables), environment);
  closers.add(() => http.close());
  const redactor = new Redactor();
  redactor.addEnvironment(variables);
  for (const password of proxyPasswords(environment.proxy ?? '')) redactor.addSecret(password);
  const modes = new ModeState(parameters.approvalMode ?? ApprovalMode.DEFAULT);
  const authType = new Late<string | undefined>('The sign-in');
  const telemetry = await startTelemetryFor({
    parameters,
    environment,
    redact: (text) => redactor.redact(text),
    onSecret: (secret) => redactor.addSecret(secret),
    warn: project.notice,
    approvalMode: () => modes.current,
    authType: () => authType.ifSet,
  });
  closers.add(() => telemetry?.shutdown());
  const recorder = telemetry?.recorder ?? noTelemetry;
  // Early: while the rest is composed, the companion answers.
  const ide = composeIde({
    enabled: parameters.ide.enabled,
    environment,
    events,
    mask: (text) => (project.parameters.maskSecretsForModel ? redactor.redact(text) : text),
    isHidden: (path) =>
      [path, realPathOf(path)].some((name) => fileService.shouldIgnoreFile(name, fileFiltering)),
    pathProblem: (path) => pathAccess(path, 'write'),
    onConnected: () => recorder.event('gemini_cli.ide_connection', { connection_type: 'session' }),
  });
  closers.add(ide.close);
  const closing = new AbortController();
  closers.add(() => closing.abort());
  signal?.addEventListener('abort', () => closing.abort(), { once: true });
  const applyRunning = new Late<Engine['apply']>('The running engine');
  const models = await composeModels({
    parameters,
    environment,
    requestedModel: () => project.parameters.model || DEFAULT_MODEL,
    requestModel: (model) => project.change({ model }),
    clock,
    http,
    redactor,
    notice: project.notice,
    onNote: (note) => telemetry?.note(note),
    isAccountMended: (error) => isAccountVerified(error, events, closing.signal),
    onAccount: async (account) => {
      const { applyAdminControls } = await import('./compose-admin.js');
      await applyAdminControls({
        account,
        apply: (controls) => {
          project.setAdminControls(controls, modes.current);
          // A session that began with another provider has its policy already.
          applyRunning.ifSet?.(project.parameters);
        },
        events,
        signal: closing.signal,
      });
    },
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

  const skills = composeSkills({
    project,
    environment,
    storage,
    targetDir,
    extensionRoots: () => extensionSkillRoots(project.parameters, targetDir),
  });
  const readOnlyFolders = () => skills.activation.readableFolders();
  const confine: Engine['confine'] = (place) => {
    const toolSandbox = composeSandbox({
      ...place,
      parameters: () => project.parameters,
      isTrusted: () => project.isTrusted,
      environment,
      storage,
      approvalMode: () => modes.current,
      plansDirectory: () => policies.engine.getPlansDirectory(),
      readOnlyFolders,
      notice: project.notice,
    });
    return {
      toolSandbox,
      containment: new SessionContainment({ ...place, environment, storage, readOnlyFolders }),
      fileSystem:
        parameters.fileSystem ??
        new ToolFiles({
          sandbox: toolSandbox,
          targetDir: place.targetDir,
          globalDir: storage.getGlobalGeminiDir(),
        }),
    };
  };
  const confined = confine({ targetDir, workspaceContext });
  const { containment, toolSandbox } = confined;
  const toolKinds = new Map<string, Kind>();
  const conversation = new Late<() => readonly Message[]>('The conversation');
  const taskJudge = composeConseca({
    events,
    utility: models.utility,
    recorder,
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
    isBuiltinSkill: (name) => skills.manager.getSkill(name)?.isBuiltin === true,
    containment,
  });
  closers.add(() => policies.close());
  closers.add(() => parameters.extensionMemory?.keep());
  // Again, so that open questions are withdrawn before.
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
  const mcpAuth = composeMcpAuth({ environment, clock, events, redactor, notice: project.notice });
  closers.add(() => mcpAuth.close());
  const mcp = composeMcp({
    parameters: () => project.parameters,
    isTrusted: () => project.isTrusted,
    environment,
    targetDir,
    globalDir: storage.getGlobalGeminiDir(),
    sandbox: toolSandbox,
    auth: () => mcpAuth,
    session: {
      isInteractive: parameters.interactive,
      events,
      policy: policies.engine,
      models,
      requestedModel: () => project.parameters.model || DEFAULT_MODEL,
      workspace: workspaceContext,
      clock,
    },
    onSecret: (secret) => redactor.addSecret(secret),
    notice: (message) => project.notice(redactor.redact(message)),
    noticeOver: (message) => events.notice(redactor.redact(message), { isOver: true }),
  });
  closers.add(() => mcp.close());
  const transcriptPath = new Late<() => string | undefined>('The recording');
  const { hooks: ofProgram = {} } = parameters;
  const hooks = await composeHooks({
    programPorts: telemetry?.observeHooks(ofProgram) ?? ofProgram,
    runtimeHooks: parameters.runtimeHooks,
    extensions: parameters.extensionHooks,
    settings: parameters.settings,
    isTrusted: () => project.isTrusted,
    environment,
    storage,
    targetDir,
    shellSettings,
    toolSandbox,
    sessionId: () => project.sessionId,
    transcriptPath: () => transcriptPath.ifSet?.(),
    plansDirectory: () => policies.engine.getPlansDirectory(),
    resolveModel: (name) => models.resolve(name),
    events,
    redact: (text) => redactor.redact(text),
    recorder,
    now: clock.now,
  });
  closers.add(hooks.close);
  const pathAccess = createPathAccess(workspaceContext, storage, {
    readOnlyFolders,
    isReadOnlyFile: (path) =>
      isExtensionFile(project.parameters, path, [environment.home, storage.getGlobalGeminiDir()]),
  });
  const agents = composeAgents({
    project,
    targetDir,
    storage,
    events,
    signal: closing.signal,
    isKnownModel: (name) => models.configs.modelOf(name) !== undefined,
  });
  closers.add(agents.close);

  const apply = (next: CompleteParameters) => {
    policies.engine.configure(policyListsFrom(next));
    void policies.refresh();
    void hooks.refresh();
    skills.refresh();
    agents.refresh();
    void mcp.refresh();
    workspaceContext.setExtraDirectories(next.includeDirectories.map(realDirectory));
    // Changed in place: the tools hold these objects.
    Object.assign(fileFiltering, filteringFrom(next));
    Object.assign(shellSettings, shellSettingsFrom(next));
  };
  applyRunning.set(apply);
  let agentCount = 0;
  return {
    project,
    targetDir,
    environment,
    clock,
    events,
    redactor,
    telemetry,
    recorder,
    hooks: hooks.ports,
    hookSystem: hooks.system,
    refreshHooks: hooks.refresh,
    mcp,
    ide,
    transcriptPath,
    modes,
    models,
    storage,
    workspaceContext,
    pathAccess,
    fileService,
    fileFiltering,
    shellSettings,
    shell,
    ...confined,
    confine,
    policy: policies.engine,
    skills,
    agents,
    taskJudge,
    bus,
    snapshots,
    sharedFiles: new SharedFiles(),
    toolKinds,
    conversation,
    nextAgent: () => ++agentCount,
    apply,
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
