/** Turns overrides, environment and settings into the parameters of the engine. */
import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { ConfigParameters } from '../engine/parameters.js';
import type { Environment, Variables } from '../platform/environment.js';
import { isSandboxCommand } from '../platform/sandbox/whole-program/select.js';
import { globalGeminiDir } from '../platform/storage/storage.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import { type Settings, setting } from '../settings/schema/index.js';
import { settingParameters } from '../settings/schema/parameters.js';
import { modeWhenUntrusted } from '../settings/trust/untrusted.js';
import type { ChosenSession } from './choose-session.js';
import type { FrontEnd } from './open-project.js';
import type { ProjectOverrides } from './overrides.js';

export interface ParameterSources {
  overrides: ProjectOverrides;
  environment: Environment;
  /** Merged from all files. */
  settings: Settings;
  trusted: boolean;
  cwd: string;
  session: ChosenSession;
  frontEnd: Pick<FrontEnd, 'interactive' | 'hasScreen' | 'offersEditor'>;
  /** Gets a message about each ignored value. */
  notice: (message: string) => void;
}

/** Each setting becomes the parameter that its entry names; the code here handles what depends on more. */
export function toParameters(sources: ParameterSources): ConfigParameters {
  const { overrides, environment, settings, cwd, session, trusted } = sources;
  const { interactive, hasScreen, offersEditor } = sources.frontEnd;
  const { variables: env, home } = environment;
  const ofSettings = settingParameters(settings);
  return {
    ...ofSettings,
    sessionId: session.sessionId,
    startSource: session.startSource,
    targetDir: cwd,
    debugMode: isDebug(overrides, env),
    model: modelOf(sources),
    interactive,
    approvalMode: approvalMode(sources),
    includeDirectories: includeDirectories(sources),
    memory: { ...ofSettings.memory, fileName: settings.context?.fileName },
    allowedTools: [...(ofSettings.allowedTools ?? []), ...given(overrides.allowedTools)],
    mcp: { ...ofSettings.mcp, ...allowedServers(overrides) },
    policyPaths: policyPaths(ofSettings.policyPaths, overrides.policyPaths, sources),
    adminPolicyPaths: policyPaths(ofSettings.adminPolicyPaths, overrides.adminPolicyPaths, sources),
    sessions: {
      storageDir: sessionStorageDir(settings, home),
      resume: session.resume,
      maxSessions: settings.general?.maxSessions,
    },
    autoMemory: { enabled: interactive && ofSettings.autoMemory?.enabled },
    budget: budget(overrides, settings),
    sandbox: sandboxOf(settings),
    outputSchema: inDirectory(cwd, overrides.outputSchema),
    fakeResponses: fakeResponses(overrides, cwd),
    recordResponses: inDirectory(cwd, overrides.recordResponses),
    context: {
      ...ofSettings.context,
      profile: contextProfile(settings.experimental),
      traceDirectory: traceDirectory(sources),
    },
    shell: { ...ofSettings.shell, hasScreen },
    trusted,
    offersEditor,
    ...(settings.admin?.secureModeEnabled && { disableYoloMode: true, disableAlwaysAllow: true }),
  };
}

function contextProfile(experimental: Settings['experimental']) {
  if (experimental?.stressTestProfile) return 'stressTest';
  if (experimental?.powerUserProfile) return 'powerUser';
  if (experimental?.generalistProfile) return 'generalist';
  return experimental?.contextManagement ? 'settings' : undefined;
}

/** For users who want to see what the model is sent. */
function traceDirectory({
  overrides,
  environment: { variables },
  cwd,
}: ParameterSources): string | undefined {
  const isOn = variables['GEMINI_CONTEXT_TRACE_ENABLED'] === 'true' || isDebug(overrides, variables);
  return isOn ? inDirectory(cwd, variables['GEMINI_CONTEXT_TRACE_DIR'] || undefined) : undefined;
}

/** A resumed session keeps its model, unless another one is requested. */
function modelOf({ overrides, environment: { variables }, settings, session }: ParameterSources): string {
  const isAsked = Boolean(overrides.model || variables['GEMINI_MODEL']);
  return (!isAsked && session.model) || requestedModel(overrides, variables, settings);
}

/** Absolute or below the home directory; other paths are ignored. */
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

/** Paths in settings are never relative to the current folder. */
export function policyPaths(
  configured: readonly string[] | undefined,
  flag: readonly string[] | undefined,
  { cwd, environment: { variables, home } }: Pick<ParameterSources, 'cwd' | 'environment'>,
): string[] {
  const ofSettings = (configured ?? []).map((path) => absolute(globalGeminiDir(variables), path, home));
  return [...ofSettings, ...given(flag).map((path) => absolute(cwd, path, home))];
}

/** The flag replaces the setting for this session. */
function allowedServers({ allowedMcpServerNames }: ProjectOverrides): { allowed?: string[] } {
  const names = given(allowedMcpServerNames).map((name) => name.trim());
  return allowedMcpServerNames ? { allowed: names } : {};
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

/** Without trust no tool may change anything unasked; plan mode is stricter and stays. */
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
  // Only a command line can enable yolo, for one run: the settings schema has no such value.
  const wanted = overrides.approvalMode ?? setting(settings, 'general.defaultApprovalMode');
  return MODES[wanted] ?? ApprovalMode.DEFAULT;
}

/** A wrong directory on the command line is an error; one in the settings may be temporarily missing. */
function includeDirectories(sources: ParameterSources): string[] {
  const { overrides, settings, cwd, environment, notice } = sources;
  const { home } = environment;
  const configured = setting(settings, 'context.includeDirectories').map((path) => absolute(cwd, path, home));
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

/** Each limit separately: from the command line, else from the settings. */
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

/** Also undefined where the platform chooses the command. */
function sandboxOf({ tools }: Settings): ConfigParameters['sandbox'] {
  const wanted = typeof tools?.sandbox === 'string' ? { command: tools.sandbox } : tools?.sandbox;
  if (typeof wanted !== 'object' || wanted.enabled === false) return undefined;
  const { command, image } = wanted;
  return isSandboxCommand(command) ? { command, image } : undefined;
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
