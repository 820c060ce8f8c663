/** Overrides, environment and settings -> what the engine is built from. */
import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { ConfigParameters, LiveParameters, ModelParameters } from '../engine/parameters.js';
import type { Environment, Variables } from '../platform/environment.js';
import { globalGeminiDir } from '../platform/storage.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import { type Settings, setting } from '../settings/schema/index.js';
import { modeWhenUntrusted } from '../settings/untrusted.js';
import type { ChosenSession } from './choose-session.js';
import type { FrontEnd } from './open-project.js';
import type { ProjectOverrides } from './overrides.js';

export interface ParameterSources {
  overrides: ProjectOverrides;
  environment: Environment;
  /** Of all files together. */
  settings: Settings;
  trusted: boolean;
  cwd: string;
  session: ChosenSession;
  frontEnd: Pick<FrontEnd, 'interactive' | 'hasScreen' | 'offersEditor'>;
  /** Told about values that are left out. */
  notice: (message: string) => void;
}

export function toParameters(sources: ParameterSources): ConfigParameters {
  const { overrides, environment, settings, cwd, session, trusted } = sources;
  const { interactive, hasScreen, offersEditor } = sources.frontEnd;
  const { variables: env, home } = environment;
  const { tools, context, security } = settings;
  return {
    sessionId: session.sessionId,
    targetDir: cwd,
    debugMode: isDebug(overrides, env),
    model: modelOf(sources),
    interactive,
    approvalMode: approvalMode(sources),
    includeDirectories: includeDirectories(sources),
    includeDirectoryTree: context?.includeDirectoryTree,
    memory: memoryParameters(settings),
    coreTools: tools?.core,
    allowedTools: [...(tools?.allowed ?? []), ...given(overrides.allowedTools)],
    excludeTools: tools?.exclude,
    confirmationRequired: tools?.confirmationRequired,
    policyPaths: policyPaths(settings.policyPaths, overrides.policyPaths, sources),
    adminPolicyPaths: policyPaths(settings.adminPolicyPaths, overrides.adminPolicyPaths, sources),
    sessions: {
      storageDir: sessionStorageDir(settings, home),
      resume: session.resume,
      retention: settings.general?.sessionRetention,
      maxSessions: settings.general?.maxSessions,
    },
    autoMemory: { enabled: interactive && settings.experimental?.autoMemory === true },
    planEnabled: setting(settings, 'general.plan.enabled'),
    plansDirectory: settings.general?.plan?.directory,
    undo: {
      enabled: settings.general?.checkpointing?.undo,
      maxBytes: settings.general?.checkpointing?.maxBytes,
    },
    checkpointing: settings.general?.checkpointing?.enabled,
    approvals: {
      allowsSaving: security?.enablePermanentToolApproval,
      suggestsSaving: security?.autoAddToPolicyByDefault,
    },
    maxSessionTurns: settings.model?.maxSessionTurns,
    maxAttempts: settings.general?.maxAttempts,
    retryNetworkErrors: settings.general?.retryFetchErrors,
    disableLoopDetection: settings.model?.disableLoopDetection,
    budget: budget(overrides, settings),
    outputSchema: inDirectory(cwd, overrides.outputSchema),
    fakeResponses: fakeResponses(overrides, cwd),
    recordResponses: inDirectory(cwd, overrides.recordResponses),
    models: modelParameters(settings),
    context: contextParameters(settings),
    deferToolsAbove: tools?.deferAbove,
    directWebFetch: settings.experimental?.directWebFetch,
    webSearch: tools?.webSearch,
    shellOutputEfficiency: tools?.shell?.enableShellOutputEfficiency,
    useRipgrep: tools?.useRipgrep,
    truncateToolOutputThreshold: tools?.truncateToolOutputThreshold,
    fileFiltering: context?.fileFiltering,
    searchTimeoutMs: setting(settings, 'context.fileFiltering.searchTimeout'),
    useWriteTodos: setting(settings, 'useWriteTodos'),
    shell: { ...tools?.shell, hasScreen },
    environmentRedaction: security?.environmentVariableRedaction,
    toolSandboxing: security?.toolSandboxing,
    sandboxNetworkAccess: tools?.sandboxNetworkAccess,
    sandboxAllowedPaths: tools?.sandboxAllowedPaths,
    trusted,
    offersEditor,
    modelSteering: setting(settings, 'experimental.modelSteering'),
    auth: security?.auth,
    providers: settings.model?.providers,
    disableYoloMode: security?.disableYoloMode,
    disableAlwaysAllow: security?.disableAlwaysAllow,
    maskSecretsForModel: setting(settings, 'security.maskSecretsForModel'),
  };
}

function modelParameters({ model, modelConfigs, general, experimental }: Settings): ModelParameters {
  const router = experimental?.gemmaModelRouter;
  return {
    configs: modelConfigs,
    dynamicConfiguration: experimental?.dynamicModelConfiguration,
    fallbacks: model?.fallbacks,
    prices: model?.prices,
    classifier: model?.routing?.classifier,
    planModelRouting: general?.plan?.modelRouting,
    gemma: {
      enabled: router?.enabled ?? false,
      host: router?.classifier?.host ?? 'http://localhost:9379',
      model: router?.classifier?.model ?? 'gemma3-1b-gpu-custom',
    },
    skipNextSpeakerCheck: model?.skipNextSpeakerCheck,
    compressionThreshold: model?.compressionThreshold,
  };
}

/** Absent values are not defaults: without a chosen name other files may stand in. */
function memoryParameters({ context }: Settings): ConfigParameters['memory'] {
  return {
    fileName: context?.fileName,
    importFormat: context?.importFormat,
    maxDirs: context?.discoveryMaxDirs,
    boundaryMarkers: context?.memoryBoundaryMarkers,
    loadFromIncludeDirectories: context?.loadMemoryFromIncludeDirectories,
  };
}

function contextParameters({ contextManagement, experimental }: Settings): ConfigParameters['context'] {
  const { historyWindow, messageLimits, tools } = contextManagement ?? {};
  return {
    outputMasking: tools?.outputMasking,
    profile: contextProfile(experimental),
    limits: { historyWindow, messageLimits, tools },
  };
}

function contextProfile(experimental: Settings['experimental']) {
  if (experimental?.stressTestProfile) return 'stressTest';
  if (experimental?.powerUserProfile) return 'powerUser';
  if (experimental?.generalistProfile) return 'generalist';
  return experimental?.contextManagement ? 'settings' : undefined;
}

/** Of all parameters those that a session can take over while it runs. */
export function liveParameters(parameters: ConfigParameters): LiveParameters {
  const { includeDirectories, coreTools, allowedTools, excludeTools, useRipgrep, useWriteTodos } = parameters;
  const { confirmationRequired, policyPaths, memory } = parameters;
  const { deferToolsAbove, directWebFetch, webSearch } = parameters;
  const { searchTimeoutMs, truncateToolOutputThreshold, fileFiltering, shell } = parameters;
  const { toolSandboxing, sandboxNetworkAccess, sandboxAllowedPaths } = parameters;
  const { environmentRedaction, maskSecretsForModel, disableYoloMode, disableAlwaysAllow } = parameters;
  return {
    includeDirectories,
    memory,
    coreTools,
    allowedTools,
    excludeTools,
    confirmationRequired,
    policyPaths,
    deferToolsAbove,
    directWebFetch,
    webSearch,
    useRipgrep,
    useWriteTodos,
    searchTimeoutMs,
    truncateToolOutputThreshold,
    fileFiltering,
    shell,
    environmentRedaction,
    toolSandboxing,
    sandboxNetworkAccess,
    sandboxAllowedPaths,
    maskSecretsForModel,
    disableYoloMode,
    disableAlwaysAllow,
  };
}

/** A session goes on with its own model, unless another one is asked for. */
function modelOf({ overrides, environment: { variables }, settings, session }: ParameterSources): string {
  const isAsked = Boolean(overrides.model || variables['GEMINI_MODEL']);
  return (!isAsked && session.model) || requestedModel(overrides, variables, settings);
}

/** Absolute or below the home directory; anything else is left out. */
function sessionStorageDir({ general }: Settings, home: string): string | undefined {
  const path = general?.sessionStorageDir?.replace(/^~(?=$|[/\\])/, () => home);
  return path && isAbsolute(path) ? path : undefined;
}

export function requestedModel(
  { model }: Pick<ProjectOverrides, 'model'>,
  env: Variables,
  settings: Settings,
): string {
  return model || env['GEMINI_MODEL'] || settings.model?.name || 'auto';
}

export function isDebug({ debug }: Pick<ProjectOverrides, 'debug'>, env: Variables): boolean {
  const isOn = (value: string | undefined) => value === 'true' || value === '1';
  return debug === true || isOn(env['DEBUG']) || isOn(env['DEBUG_MODE']);
}

/** Paths of the settings never lead into whatever folder one happens to be in. */
function policyPaths(
  configured: readonly string[] | undefined,
  flag: readonly string[] | undefined,
  { cwd, environment: { variables, home } }: Pick<ParameterSources, 'cwd' | 'environment'>,
): string[] {
  const ofSettings = (configured ?? []).map((path) => absolute(globalGeminiDir(variables), path, home));
  return [...ofSettings, ...given(flag).map((path) => absolute(cwd, path, home))];
}

/** Values of a list option. */
function given(values: readonly string[] | undefined): string[] {
  return (values ?? []).filter((value) => value !== '');
}

const MODES: Readonly<Record<string, ApprovalMode>> = {
  default: ApprovalMode.DEFAULT,
  interactive: ApprovalMode.DEFAULT,
  auto_edit: ApprovalMode.AUTO_EDIT,
  autoEdit: ApprovalMode.AUTO_EDIT,
  plan: ApprovalMode.PLAN,
  yolo: ApprovalMode.YOLO,
};

/** Without trust nothing may change by itself; plan mode, being stricter, stays. */
function approvalMode(sources: ParameterSources): ApprovalMode {
  const wanted = requestedMode(sources);
  if (wanted === ApprovalMode.PLAN && !setting(sources.settings, 'general.plan.enabled')) {
    sources.notice('Plan mode is disabled (general.plan.enabled): the approval mode is "default".');
    return ApprovalMode.DEFAULT;
  }
  const mode = sources.trusted ? wanted : modeWhenUntrusted(wanted);
  if (mode !== wanted) {
    sources.notice(`The folder is not trusted: the approval mode is "${mode}" instead of "${wanted}".`);
  }
  return mode;
}

function requestedMode({ overrides, settings }: ParameterSources): ApprovalMode {
  // Files cannot ask for yolo: the schema has no such value, only a command line can, for one run.
  const wanted = overrides.approvalMode ?? settings.general?.defaultApprovalMode ?? 'default';
  return MODES[wanted] ?? ApprovalMode.DEFAULT;
}

/** A wrong directory on the command line is an error of the engine; one in the settings may be of another day. */
function includeDirectories(sources: ParameterSources): string[] {
  const { overrides, settings, cwd, environment, notice } = sources;
  const { home } = environment;
  const configured = (settings.context?.includeDirectories ?? []).map((path) => absolute(cwd, path, home));
  const usable = configured.filter((path) => {
    const isDirectory = existsSync(path) && statSync(path).isDirectory();
    if (!isDirectory)
      notice(`context.includeDirectories in settings.json: ${path} is not a directory and is left out.`);
    return isDirectory;
  });
  return [...usable, ...given(overrides.includeDirectories).map((path) => absolute(cwd, path, home))];
}

function absolute(cwd: string, path: string, home: string): string {
  if (path === '~') return home;
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(cwd, path);
}

/** Each limit for itself: the one on the command line, else the one of the settings. */
function budget(overrides: ProjectOverrides, settings: Settings): ConfigParameters['budget'] {
  const configured = settings.model?.budget;
  const seconds = overrides.maxTimeSeconds ?? configured?.maxTime;
  return {
    maxCost: overrides.maxCost ?? configured?.maxCost,
    maxTokens: overrides.maxTokens ?? configured?.maxTokens,
    maxTimeMs: seconds === undefined ? undefined : seconds * 1000,
    maxToolCalls: overrides.maxToolCalls ?? configured?.maxToolCalls,
  };
}

function fakeResponses(
  { fakeResponses: given }: ProjectOverrides,
  cwd: string,
): ConfigParameters['fakeResponses'] {
  return given && { ...given, path: resolve(cwd, given.path) };
}

function inDirectory(cwd: string, path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(cwd, path);
}
