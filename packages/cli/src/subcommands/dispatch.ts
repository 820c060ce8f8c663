/** The table of available subcommands; a handler is loaded when it is called. */
import { UserError } from '@gemini-cli/core';
import { reportError, standardOutput } from '../output/output.js';
import type { Subcommand } from './subcommand.js';

const HANDLERS: Readonly<Record<string, () => Promise<{ default: Subcommand }>>> = {
  'a2a-server': () => import('./a2a-server/run.js'),
  agents: () => import('./agents/run.js'),
  doctor: () => import('./doctor/run.js'),
  extensions: () => import('./extensions/run.js'),
  hooks: () => import('./hooks/run.js'),
  'list-extensions': () => import('./extensions/names.js'),
  mcp: () => import('./mcp/run.js'),
  sessions: () => import('./sessions/run.js'),
  skills: () => import('./skills/run.js'),
  undo: () => import('./undo/run.js'),
  update: () => import('./update/run.js'),
};

/** @param options.skipTrust `--skip-trust` before the subcommand @returns the exit code */
export async function runSubcommand(
  name: string,
  args: readonly string[],
  { skipTrust = false } = {},
): Promise<number> {
  const env = skipTrust ? { ...process.env, GEMINI_CLI_TRUST_WORKSPACE: 'true' } : process.env;
  const io = { ...standardOutput, env };
  try {
    const handler = await HANDLERS[name]?.();
    if (!handler) throw new UserError(`gemini ${name} is not available yet: it comes with a later version.`);
    return await handler.default(args, io);
  } catch (error) {
    return reportError(io, error);
  }
}
