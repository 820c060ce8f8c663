/** `gemini agents list|validate [path] [--fix]`: shows, checks and repairs agent files, without a session. */
import { resolve } from 'node:path';
import { globalGeminiDir, loadAgentFiles } from '@gemini-cli/core';
import { isTerminal } from '../../terminal/descriptors.js';
import { askOnTerminal } from '../ask.js';
import { currentDirectory } from '../current-directory.js';
import type { Subcommand } from '../subcommand.js';
import { parseArguments } from './arguments.js';
import { listAgents } from './list.js';
import { validateAgents } from './validate.js';

const run: Subcommand = async (args, io) => {
  const wanted = parseArguments(args);
  if (typeof wanted === 'string') {
    io.stderr(`gemini agents: ${wanted}`);
    return 1;
  }
  const cwd = currentDirectory();
  const globalDir = globalGeminiDir(io.env);
  const engine = await loadAgentFiles();
  if (wanted.verb === 'list') return listAgents(wanted, io, { engine, cwd, globalDir });
  return validateAgents(wanted, io, {
    engine,
    cwd,
    globalDir,
    ...(wanted.path && { path: resolve(cwd, wanted.path) }),
    ask: isTerminal(0) && isTerminal(1) ? askOnTerminal : undefined,
  });
};

export default run;
