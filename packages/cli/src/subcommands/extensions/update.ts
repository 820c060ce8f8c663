/** `gemini extensions update <names…> | --all`. */
import { parseArgs } from 'node:util';
import { UserError } from '@gemini-cli/core';
import { oneLine } from '../../output/output.js';
import type { Subcommand } from '../subcommand.js';
import { openActions } from './actions.js';
import { plainArguments, readingArguments } from './reading-arguments.js';
import { terminalQuestions } from './terminal-questions.js';

const USAGE = 'update <names…> | --all [--consent]';

const update: Subcommand = async (args, io) => {
  const { values, positionals } = readingArguments(USAGE, () =>
    parseArgs({
      args: plainArguments(args),
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        consent: { type: 'boolean' },
        debug: { type: 'boolean', short: 'd' },
      },
    }),
  );
  const all = values.all ?? false;
  if (all === positionals.length > 0) throw new UserError(`Usage: gemini extensions ${USAGE}.`);
  const actions = await openActions(io);
  const questions = terminalQuestions(io, { consents: values.consent ?? false });
  const results = await actions.update(all ? 'all' : positionals, questions);
  if (results.length === 0) io.stdout('No extensions to update.\n');
  for (const { message, level } of results) {
    if (level === 'info') io.stdout(`${oneLine(message)}\n`);
    else io.stderr(oneLine(message));
  }
  return results.some(({ level }) => level === 'error') ? 1 : 0;
};

export default update;
