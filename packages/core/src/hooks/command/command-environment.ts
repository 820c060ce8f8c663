/** The environment of hooks, and the shell that runs them. */
import type { Variables } from '../../platform/environment.js';
import { findProgram } from '../../platform/process/find-program.js';
import { withoutSecrets } from '../../platform/shell/shell-environment.js';
import type { ShellSettings } from '../../platform/shell/shell-settings.js';
import { hookIdentity } from '../registry.js';
import type { CommandHookConfig, HookConfig } from '../types.js';

/** Which hooks have led to this process: a hook that starts `gemini` does not run again in it. */
const CHAIN_VARIABLE = 'GEMINI_CLI_HOOK_CHAIN';
/** Hooks that start `gemini`, whose hooks start `gemini`, and so on. */
const MAX_CHAIN = 5;

export interface HookPlaces {
  /** Project root. */
  projectDir: string;
  cwd: string;
  plansDir: string | undefined;
  sessionId: string;
}

export interface HookEnvironmentOptions {
  variables: Variables;
  settings: Pick<ShellSettings, 'environmentRedaction'>;
  isTrusted: boolean;
  places: HookPlaces;
}

/** What all hooks of an event have in common. */
export function commonEnvironment({
  variables,
  settings,
  isTrusted,
  places,
}: HookEnvironmentOptions): Record<string, string> {
  return {
    ...withoutSecrets({ parent: variables, settings, isTrustedFolder: isTrusted }),
    ...placeVariables(places),
  };
}

export function hookEnvironment(
  config: CommandHookConfig,
  common: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    ...common,
    [CHAIN_VARIABLE]: [...chainOf(common), linkOf(config)].join(','),
    ...config.env,
  };
}

function placeVariables({ projectDir, cwd, plansDir, sessionId }: HookPlaces): Record<string, string> {
  return {
    GEMINI_PROJECT_DIR: projectDir,
    GEMINI_CWD: cwd,
    GEMINI_PLANS_DIR: plansDir ?? '',
    GEMINI_SESSION_ID: sessionId,
    CLAUDE_PROJECT_DIR: projectDir,
  };
}

/** False in a `gemini` that this hook has started, directly or through others. */
export function mayRunHere(variables: Variables): (config: HookConfig) => boolean {
  const chain = chainOf(variables);
  if (chain.length === 0) return () => true;
  return (config) => chain.length < MAX_CHAIN && !chain.includes(linkOf(config));
}

function chainOf(variables: Variables): string[] {
  return (variables[CHAIN_VARIABLE] ?? '').split(',').filter((link) => link !== '');
}

function linkOf(config: HookConfig): string {
  // Loaded with the first hook that runs.
  return process
    .getBuiltinModule('node:crypto')
    .createHash('sha256')
    .update(hookIdentity(config))
    .digest('hex')
    .slice(0, 12);
}

/** The shell of this machine; undefined: it has none. */
export function findShell(variables: Variables): string | undefined {
  const path = variables['PATH'];
  if (process.platform === 'win32') return findProgram('pwsh.exe', path) ?? 'powershell.exe';
  return findProgram('bash', path) ?? findProgram('sh', path);
}

export function shellArguments(command: string, places: HookPlaces): string[] {
  if (process.platform !== 'win32') return ['-c', command];
  return ['-NoProfile', '-NonInteractive', '-Command', forPowerShell(command, places)];
}

/** PowerShell reads variables of the environment as `$env:NAME`, so our names are replaced by quoted values. */
export function forPowerShell(command: string, places: HookPlaces): string {
  const values = placeVariables(places);
  const names = Object.keys(values).join('|');
  const replaced = command.replace(
    new RegExp(`\\$(?:(${names})(?!\\w)|\\{(${names})\\})`, 'g'),
    (_, bare?: string, braced?: string) => `'${(values[bare ?? braced ?? ''] ?? '').replaceAll("'", "''")}'`,
  );
  return `${replaced}; exit $LASTEXITCODE`;
}
