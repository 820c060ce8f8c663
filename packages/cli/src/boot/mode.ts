/** Decides whether a run is interactive or headless. */
import type { CommandLine } from '../command-line/parse.js';

export interface ModeEnvironment {
  env: NodeJS.ProcessEnv;
  stdinIsTerminal: boolean;
  stdoutIsTerminal: boolean;
}

export type Mode = 'interactive' | 'headless';

export function chooseMode(
  { flags }: CommandLine,
  { env, stdinIsTerminal, stdoutIsTerminal }: ModeEnvironment,
): Mode {
  if (flags['prompt-interactive'] !== undefined) return 'interactive';
  if (flags.prompt !== undefined || isAutomation(env)) return 'headless';
  return stdinIsTerminal && stdoutIsTerminal ? 'interactive' : 'headless';
}

function isAutomation(env: NodeJS.ProcessEnv): boolean {
  if (env['GEMINI_CLI_INTEGRATION_TEST'] === 'true') return false;
  return env['CI'] === 'true' || env['GITHUB_ACTIONS'] === 'true';
}
