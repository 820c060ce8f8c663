/** Flags, environment and settings -> what the engine is built from. */
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  ApprovalMode,
  type ConfigParameters,
  type LiveParameters,
  modeWhenUntrusted,
  type Settings,
  setting,
} from '@gemini-cli/core';
import type { FlagValues } from './flags.js';

export interface EngineSources {
  flags: FlagValues;
  env: NodeJS.ProcessEnv;
  /** Of all files together. */
  settings: Settings;
  trusted: boolean;
  cwd: string;
  sessionId: string;
  interactive: boolean;
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
    model: requestedModel(flags, env, settings),
    interactive,
    approvalMode: approvalMode(sources),
    includeDirectories: includeDirectories(sources),
    includeDirectoryTree: context?.includeDirectoryTree,
    coreTools: tools?.core && wholeTools(tools.core, 'tools.core', sources.warn),
    allowedTools: [
      ...wholeTools(tools?.allowed ?? [], 'tools.allowed', sources.warn),
      ...(flags['allowed-tools'] ?? []).filter((name) => name !== ''),
    ],
    excludeTools: excludedTools(sources),
    maxSessionTurns: settings.model?.maxSessionTurns,
    maxAttempts: settings.general?.maxAttempts,
    disableLoopDetection: settings.model?.disableLoopDetection,
    budget: budget(flags),
    fakeResponses: fakeResponses(flags, cwd),
    recordResponses: inDirectory(cwd, flags['record-responses']),
    useRipgrep: tools?.useRipgrep,
    truncateToolOutputThreshold: tools?.truncateToolOutputThreshold,
    fileFiltering: context?.fileFiltering,
    searchTimeoutMs: setting(settings, 'context.fileFiltering.searchTimeout'),
    useWriteTodos: setting(settings, 'useWriteTodos'),
    shell: tools?.shell,
    environmentRedaction: security?.environmentVariableRedaction,
    trusted,
    auth: security?.auth,
    providers: settings.model?.providers,
    disableYoloMode: security?.disableYoloMode,
    disableAlwaysAllow: security?.disableAlwaysAllow,
    maskSecretsForModel: setting(settings, 'security.maskSecretsForModel'),
  };
}

/** Of all parameters those that a session can take over while it runs. */
export function liveParameters(parameters: ConfigParameters): LiveParameters {
  const { includeDirectories, coreTools, allowedTools, excludeTools, useRipgrep, useWriteTodos } = parameters;
  const { searchTimeoutMs, truncateToolOutputThreshold, fileFiltering, shell } = parameters;
  const { environmentRedaction, maskSecretsForModel, disableYoloMode, disableAlwaysAllow } = parameters;
  return {
    includeDirectories,
    coreTools,
    allowedTools,
    excludeTools,
    useRipgrep,
    useWriteTodos,
    searchTimeoutMs,
    truncateToolOutputThreshold,
    fileFiltering,
    shell,
    environmentRedaction,
    maskSecretsForModel,
    disableYoloMode,
    disableAlwaysAllow,
  };
}

export function requestedModel(flags: FlagValues, env: NodeJS.ProcessEnv, settings: Settings): string {
  return flags.model || env['GEMINI_MODEL'] || settings.model?.name || 'auto';
}

export function isDebug(flags: FlagValues, env: NodeJS.ProcessEnv): boolean {
  const isOn = (value: string | undefined) => value === 'true' || value === '1';
  return flags.debug === true || isOn(env['DEBUG']) || isOn(env['DEBUG_MODE']);
}

/**
 * `run_shell_command(git)` allows part of a tool. Until commands can be judged one by one, such an entry
 * allows nothing; allowing the whole tool would be more than was asked for.
 */
function wholeTools(entries: readonly string[], setting: string, warn: EngineSources['warn']): string[] {
  return entries.filter((entry) => {
    const isPart = entry.includes('(');
    if (isPart) warn(`${setting} in settings.json: "${entry}" is not available yet and is left out.`);
    return !isPart;
  });
}

/** The other way round: a tool of which a part is excluded is excluded whole. */
function excludedTools({ settings, warn }: EngineSources): string[] | undefined {
  return settings.tools?.exclude?.map((entry) => {
    const open = entry.indexOf('(');
    if (open < 0) return entry;
    const name = entry.slice(0, open);
    warn(
      `tools.exclude in settings.json: "${entry}" cannot be judged by command yet, so all of ${name} is excluded.`,
    );
    return name;
  });
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
function includeDirectories({ flags, settings, cwd, warn }: EngineSources): string[] {
  const configured = (settings.context?.includeDirectories ?? []).map((path) => absolute(cwd, path));
  const usable = configured.filter((path) => {
    const isDirectory = existsSync(path) && statSync(path).isDirectory();
    if (!isDirectory)
      warn(`context.includeDirectories in settings.json: ${path} is no directory and is left out.`);
    return isDirectory;
  });
  const given = (flags['include-directories'] ?? []).filter((path) => path !== '');
  return [...usable, ...given.map((path) => absolute(cwd, path))];
}

function absolute(cwd: string, path: string): string {
  if (path === '~') return homedir();
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(cwd, path);
}

function budget(flags: FlagValues): ConfigParameters['budget'] {
  const seconds = flags['max-time'];
  return {
    maxTokens: flags['max-tokens'],
    maxTimeMs: seconds === undefined ? undefined : seconds * 1000,
    maxToolCalls: flags['max-tool-calls'],
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
