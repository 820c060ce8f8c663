/** Builds all services in the order of their dependencies. Reads like a wiring list. */
import { realpathSync } from 'node:fs';
import { AgentSession } from '../agent/agent-session.js';
import { GeminiClient } from '../agent/gemini-client.js';
import { RunLimits } from '../agent/limits.js';
import { Scheduler } from '../agent/scheduler/scheduler.js';
import { FatalConfigError, messageOf } from '../base/errors.js';
import { MessageBus } from '../bus/message-bus.js';
import { DEFAULT_MODEL, resolveModel } from '../model/catalog.js';
import { createContentGenerator } from '../model/create.js';
import { systemClock } from '../platform/clock.js';
import { StandardFileSystemService } from '../platform/file-system.js';
import { HttpClient } from '../platform/http.js';
import { projectIdFor } from '../platform/project-id.js';
import { Redactor } from '../platform/redact.js';
import { ShellExecutionService } from '../platform/shell-service.js';
import { DEFAULT_SHELL_SETTINGS, type ShellSettings } from '../platform/shell-settings.js';
import { Storage } from '../platform/storage.js';
import { PolicyEngine, type PolicyLists } from '../policy/policy-engine.js';
import { describeSurroundings } from '../prompts/session-context.js';
import { composeSystemPrompt } from '../prompts/system-prompt.js';
import { ApprovalMode, MessageBusType } from '../protocol/confirmation.js';
import type { Telemetry, TelemetryOptions } from '../telemetry/start.js';
import { registerBuiltinTools } from '../tools/catalog.js';
import { DEFAULT_OUTPUT_THRESHOLD } from '../tools/output-limit.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { FileDiscoveryService } from '../workspace/file-discovery.js';
import { describeFolder } from '../workspace/folder-structure.js';
import type { FileFilteringOptions } from '../workspace/host.js';
import { createPathAccess, type PathAccess } from '../workspace/path-access.js';
import { WorkspaceContext } from '../workspace/workspace-context.js';
import type { Config } from './config.js';
import type { ConfigParameters } from './parameters.js';

export interface Services {
  targetDir: string;
  model: string;
  storage: Storage;
  workspaceContext: WorkspaceContext;
  pathAccess: PathAccess;
  fileSystemService: StandardFileSystemService;
  fileService: FileDiscoveryService;
  fileFiltering: FileFilteringOptions;
  shellSettings: ShellSettings;
  shellExecutionService: ShellExecutionService;
  policyEngine: PolicyEngine;
  messageBus: MessageBus;
  toolRegistry: ToolRegistry;
  client: GeminiClient;
  session: AgentSession;
  redactor: Redactor;
  authType: string | undefined;
  /** Takes over what changed in a running session. */
  apply(parameters: ConfigParameters): void;
  shutdown(): Promise<void>;
}

const DEFAULT_MAX_ATTEMPTS = 10;
const TREE_ITEMS = 200;

export async function compose(config: Config): Promise<Services> {
  const { parameters } = config;
  const clock = systemClock;
  const targetDir = realDirectory(parameters.targetDir);
  const model = resolveModel(parameters.model || DEFAULT_MODEL);
  const http = new HttpClient();
  const redactor = new Redactor();
  redactor.addEnvironment(process.env);
  const telemetry = await startTelemetryFor(config, redactor, {
    approvalMode: () => policyEngine.getApprovalMode(),
    authType: () => provider.authType,
  });
  const provider = await createContentGenerator({
    sessionId: config.getSessionId(),
    redactor,
    auth: parameters.auth,
    providers: parameters.providers,
    onNotice: parameters.onNotice,
    model,
    http,
    env: process.env,
    version: __VERSION__,
    fakeResponses: parameters.fakeResponses,
    recordResponses: parameters.recordResponses,
  }).catch((error: unknown) => {
    // Servers repeat what they were sent, and whoever reports this cannot know the stored credentials.
    throw redactor.redactValue(error);
  });
  const generator =
    telemetry?.observeModel(provider.generator, { provider: provider.provider ?? 'gcp.gemini' }) ??
    provider.generator;

  const storage = new Storage(targetDir, projectIdFor(targetDir));
  const extraDirectories = (parameters.includeDirectories ?? []).map(realDirectory);
  const workspaceContext = new WorkspaceContext(targetDir, extraDirectories);
  const fileFiltering = filteringFrom(parameters);
  const fileService = new FileDiscoveryService(targetDir, fileFiltering);
  const shellSettings = shellSettingsFrom(parameters);
  const shellExecutionService = new ShellExecutionService(Storage.getBackgroundProcessDir(), () =>
    redactor.stream(),
  );

  const policyEngine = new PolicyEngine({
    approvalMode: parameters.approvalMode ?? ApprovalMode.DEFAULT,
    interactive: parameters.interactive,
    ...policyListsFrom(parameters),
    isTrusted: () => config.isTrustedFolder(),
    kindOf: (name) => toolRegistry.getTool(name)?.kind,
  });
  const messageBus = new MessageBus(policyEngine);
  messageBus.subscribe(MessageBusType.UPDATE_POLICY, (update) => policyEngine.applyUpdate(update));

  const toolRegistry = new ToolRegistry(policyEngine);
  registerBuiltinTools(toolRegistry, config, messageBus, parameters);

  const scheduler = new Scheduler({
    registry: toolRegistry,
    messageBus,
    now: clock.now,
    outputLimits: () => ({
      threshold: config.parameters.truncateToolOutputThreshold ?? DEFAULT_OUTPUT_THRESHOLD,
      directory: storage.getToolOutputDir(config.getSessionId()),
      redact: (text) => config.maskForModel(text),
      redactForDisk: (text) => redactor.redact(text),
    }),
  });
  const limits = new RunLimits(parameters.maxSessionTurns ?? -1, parameters.budget ?? {}, clock.now);
  const clientHost = {
    getModel: () => model,
    getToolRegistry: () => toolRegistry,
    getSystemInstruction: () =>
      composeSystemPrompt({
        interactive: parameters.interactive,
        approvalMode: policyEngine.getApprovalMode(),
      }),
    getSessionContext: async () =>
      describeSurroundings({
        date: new Date(clock.now()),
        projectTempDir: storage.getProjectTempDir(),
        directories: workspaceContext.getDirectories(),
        tree:
          parameters.includeDirectoryTree === false
            ? ''
            : describeFolder(targetDir, fileService, { maxItems: TREE_ITEMS }),
      }),
  };
  const client = new GeminiClient(clientHost, generator, {
    scheduler,
    limits,
    clock,
    random: Math.random,
    maxAttempts: parameters.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
    disableLoopDetection: parameters.disableLoopDetection,
  });
  const session = new AgentSession(config, client);
  if (telemetry) await observeSession(telemetry, session, config, policyEngine.getApprovalMode(), model);

  return {
    targetDir,
    model,
    storage,
    workspaceContext,
    pathAccess: createPathAccess(workspaceContext, storage),
    fileSystemService: new StandardFileSystemService(),
    fileService,
    fileFiltering,
    shellSettings,
    shellExecutionService,
    policyEngine,
    messageBus,
    toolRegistry,
    client,
    session,
    redactor,
    authType: provider.authType,
    apply: (next) => {
      policyEngine.configure(policyListsFrom(next));
      registerBuiltinTools(toolRegistry, config, messageBus, next);
      workspaceContext.setExtraDirectories((next.includeDirectories ?? []).map(realDirectory));
      // Both are shared by all who use them.
      Object.assign(fileFiltering, filteringFrom(next));
      Object.assign(shellSettings, shellSettingsFrom(next));
    },
    shutdown: async () => {
      session.abort();
      await shellExecutionService.killAll();
      http.close();
      await telemetry?.shutdown();
    },
  };
}

/** Loaded only when it is on. */
async function startTelemetryFor(
  config: Config,
  redactor: Redactor,
  state: Pick<TelemetryOptions, 'approvalMode' | 'authType'>,
): Promise<Telemetry | undefined> {
  const { telemetry, interactive } = config.parameters;
  if (!telemetry) return undefined;
  const { startTelemetry } = await import('../telemetry/start.js');
  return startTelemetry({
    settings: telemetry.settings,
    sessionId: config.getSessionId(),
    version: __VERSION__,
    interactive,
    env: process.env,
    now: systemClock.now,
    redact: (text) => redactor.redact(text),
    ...state,
    warn: telemetry.warn,
    writeConsole: telemetry.writeConsole,
  });
}

async function observeSession(
  telemetry: Telemetry,
  session: AgentSession,
  { parameters }: Config,
  approvalMode: ApprovalMode,
  model: string,
): Promise<void> {
  session.subscribe((event) => telemetry.observe(event));
  const config = {
    model,
    approval_mode: approvalMode,
    debug_mode: parameters.debugMode,
    api_key_enabled: Boolean(process.env['GEMINI_API_KEY'] || process.env['GOOGLE_API_KEY']),
    log_user_prompts_enabled: parameters.telemetry?.settings.logPrompts,
  };
  await telemetry.begin(config, parameters.telemetry?.phases() ?? []);
}

function realDirectory(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new FatalConfigError(`The directory "${path}" cannot be used: ${messageOf(error)}`, error);
  }
}

function policyListsFrom(parameters: ConfigParameters): PolicyLists {
  return {
    allowedTools: parameters.allowedTools,
    excludedTools: parameters.excludeTools,
    disableYoloMode: parameters.disableYoloMode,
    disableAlwaysAllow: parameters.disableAlwaysAllow,
  };
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
    acceptsInput: interactive,
    environmentRedaction: {
      enabled: redaction?.enabled ?? false,
      allowed: redaction?.allowed ?? [],
      blocked: redaction?.blocked ?? [],
    },
    ...(shell?.enableInteractiveShell !== undefined && {
      enableInteractiveShell: shell.enableInteractiveShell,
    }),
    ...(shell?.inactivityTimeout !== undefined && { inactivityTimeoutSeconds: shell.inactivityTimeout }),
    ...(shell?.pager !== undefined && { pager: shell.pager }),
    ...(shell?.showColor !== undefined && { showColor: shell.showColor }),
  };
}
