/** Flags, environment and settings -> what the engine is built from. */
import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import {
  ApprovalMode,
  type ConfigParameters,
  globalGeminiDir,
  homeOf,
  type LiveParameters,
  type ModelParameters,
  modeWhenUntrusted,
  type Settings,
  setting,
} from '@gemini-cli/core';
import type { FlagValues } from '../command-line/flags.js';
import type { ChosenSession } from './session-choice.js';

export interface EngineSources {
  flags: FlagValues;
  env: NodeJS.ProcessEnv;
  /** Of all files together. */
  settings: Settings;
  trusted: boolean;
  cwd: string;
  sessionId: string;
  interactive: boolean;
  /** An earlier session to go on with. */
  session?: ChosenSession;
  /** Told about values that are left out. */
  warn: (message: string) => void;
}

export function toParameters(sources: EngineSources): ConfigParameters {
  const { flags, env, settings, cwd, sessionId, interactive, trusted } = sources;
  const { tools, context, security } = settings;
  return {
    sessionId,
    targetDir: cwd,
    debugMode: isDebug(flags, env),
    model: modelOf(sources),
    interactive,
    approvalMode: approvalMode(sources),
    includeDirectories: includeDirectories(sources),
    includeDirectoryTree: context?.includeDirectoryTree,
    memory: memoryParameters(settings),
    coreTools: tools?.core,
    allowedTools: [...(tools?.allowed ?? []), ...given(flags['allowed-tools'])],
    excludeTools: tools?.exclude,
    confirmationRequired: tools?.confirmationRequired,
    policyPaths: policyPaths(settings.policyPaths, flags.policy, sources),
    adminPolicyPaths: policyPaths(settings.adminPolicyPaths, flags['admin-policy'], sources),
    sessions: {
      storageDir: sessionStorageDir(settings, env),
      resume: sources.session?.resume,
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
    budget: budget(flags, settings),
    outputSchema: inDirectory(cwd, flags['output-schema']),
    fakeResponses: fakeResponses(flags, cwd),
    recordResponses: inDirectory(cwd, flags['record-responses']),
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
    shell: { ...tools?.shell, hasScreen: interactive },
    environmentRedaction: security?.environmentVariableRedaction,
    toolSandboxing: security?.toolSandboxing,
    sandboxNetworkAccess: tools?.sandboxNetworkAccess,
    sandboxAllowedPaths: tools?.sandboxAllowedPaths,
    trusted,
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
function modelOf({ flags, env, settings, session }: EngineSources): string {
  const isAsked = Boolean(flags.model || env['GEMINI_MODEL']);
  return (!isAsked && session?.model) || requestedModel(flags, env, settings);
}

/** Absolute or below the home directory; anything else is left out. */
function sessionStorageDir({ general }: Settings, env: NodeJS.ProcessEnv): string | undefined {
  const path = general?.sessionStorageDir?.replace(/^~(?=$|[/\\])/, () => homeOf(env));
  return path && isAbsolute(path) ? path : undefined;
}

export function requestedModel(flags: FlagValues, env: NodeJS.ProcessEnv, settings: Settings): string {
  return flags.model || env['GEMINI_MODEL'] || settings.model?.name || 'auto';
}

export function isDebug(flags: FlagValues, env: NodeJS.ProcessEnv): boolean {
  const isOn = (value: string | undefined) => value === 'true' || value === '1';
  return flags.debug === true || isOn(env['DEBUG']) || isOn(env['DEBUG_MODE']);
}

/** Paths of the settings never lead into whatever folder one happens to be in. */
function policyPaths(
  configured: readonly string[] | undefined,
  flag: readonly string[] | undefined,
  { cwd, env }: Pick<EngineSources, 'cwd' | 'env'>,
): string[] {
  const ofSettings = (configured ?? []).map((path) => absolute(globalGeminiDir(env), path, env));
  return [...ofSettings, ...given(flag).map((path) => absolute(cwd, path, env))];
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
function approvalMode(sources: EngineSources): ApprovalMode {
  const wanted = requestedMode(sources);
  if (wanted === ApprovalMode.PLAN && !setting(sources.settings, 'general.plan.enabled')) {
    sources.warn('Plan mode is disabled (general.plan.enabled): the approval mode is "default".');
    return ApprovalMode.DEFAULT;
  }
  const mode = sources.trusted ? wanted : modeWhenUntrusted(wanted);
  if (mode !== wanted) {
    sources.warn(`The folder is not trusted: the approval mode is "${mode}" instead of "${wanted}".`);
  }
  return mode;
}

function requestedMode({ flags, settings }: EngineSources): ApprovalMode {
  if (flags.yolo) return ApprovalMode.YOLO;
  // Files cannot ask for yolo: the schema has no such value, only a command line can, for one run.
  const wanted = flags['approval-mode'] ?? settings.general?.defaultApprovalMode ?? 'default';
  return MODES[wanted] ?? ApprovalMode.DEFAULT;
}

/** A wrong directory on the command line is an error of the engine; one in the settings may be of another day. */
function includeDirectories({ flags, settings, cwd, env, warn }: EngineSources): string[] {
  const configured = (settings.context?.includeDirectories ?? []).map((path) => absolute(cwd, path, env));
  const usable = configured.filter((path) => {
    const isDirectory = existsSync(path) && statSync(path).isDirectory();
    if (!isDirectory)
      warn(`context.includeDirectories in settings.json: ${path} is no directory and is left out.`);
    return isDirectory;
  });
  return [...usable, ...given(flags['include-directories']).map((path) => absolute(cwd, path, env))];
}

function absolute(cwd: string, path: string, env: NodeJS.ProcessEnv): string {
  if (path === '~') return homeOf(env);
  return path.startsWith('~/') ? join(homeOf(env), path.slice(2)) : resolve(cwd, path);
}

/** Each limit for itself: the one on the command line, else the one of the settings. */
function budget(flags: FlagValues, settings: Settings): ConfigParameters['budget'] {
  const configured = settings.model?.budget;
  const seconds = flags['max-time'] ?? configured?.maxTime;
  return {
    maxCost: flags['max-cost'] ?? configured?.maxCost,
    maxTokens: flags['max-tokens'] ?? configured?.maxTokens,
    maxTimeMs: seconds === undefined ? undefined : seconds * 1000,
    maxToolCalls: flags['max-tool-calls'] ?? configured?.maxToolCalls,
  };
}

function fakeResponses(flags: FlagValues, cwd: string): ConfigParameters['fakeResponses'] {
  const strict = inDirectory(cwd, flags['fake-responses']);
  if (strict !== undefined) return { path: strict, strict: true };
  const lax = inDirectory(cwd, flags['fake-responses-non-strict']);
  return lax === undefined ? undefined : { path: lax, strict: false };
}

function inDirectory(cwd: string, path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(cwd, path);
}
