/** `gemini extensions config [name] [setting]`: asks for the values that extensions need. */
import { parseArgs } from 'node:util';
import { UserError } from '@gemini-cli/core';
import { oneLine } from '../../output/output.js';
import { isTerminal } from '../../terminal/descriptors.js';
import type { Subcommand } from '../subcommand.js';
import { openActions } from './actions.js';
import { plainArguments, readingArguments } from './reading-arguments.js';
import { terminalQuestions } from './terminal-questions.js';

const USAGE = 'config [name] [setting] [--scope user|workspace]';

const config: Subcommand = async (args, io) => {
  const { values, positionals } = readingArguments(USAGE, () =>
    parseArgs({
      args: plainArguments(args),
      allowPositionals: true,
      options: {
        scope: { type: 'string', short: 's', default: 'user' },
        debug: { type: 'boolean', short: 'd' },
      },
    }),
  );
  const [name, setting, ...more] = positionals;
  const scope = values.scope.toLowerCase();
  if (more.length > 0) throw new UserError(`Usage: gemini extensions ${USAGE}.`);
  if (scope !== 'user' && scope !== 'workspace')
    throw new UserError(`Invalid scope: ${oneLine(values.scope)}. Please use one of user, workspace.`);
  if (!isTerminal(0) || !isTerminal(2))
    throw new UserError('gemini extensions config asks for values: run it in a terminal.');
  const actions = await openActions(io);
  const request = {
    scope,
    ...(name !== undefined && { name }),
    ...(setting !== undefined && { setting }),
  } as const;
  const lines = await actions.configure(request, terminalQuestions(io));
  for (const line of lines.length > 0 ? lines : ['Nothing was changed.']) io.stdout(`${oneLine(line)}\n`);
  return 0;
};

export default config;
