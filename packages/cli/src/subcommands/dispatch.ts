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

/** @returns the exit code */
export async function runSubcommand(name: string, args: readonly string[]): Promise<number> {
  const io = { ...standardOutput, env: process.env };
  try {
    const handler = await HANDLERS[name]?.();
    if (!handler) throw new UserError(`gemini ${name} is not available yet: it comes with a later version.`);
    return await handler.default(args, io);
  } catch (error) {
    return reportError(io, error);
  }
}
