/** `gemini extensions link <path>`: the folder is used as it is, so that its author sees changes at the next start. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UserError, visibleName } from '@gemini-cli/core';
import { currentDirectory } from '../current-directory.js';
import type { Subcommand } from '../subcommand.js';
import { openActions } from './actions.js';
import { plainArguments, readingArguments } from './reading-arguments.js';
import { terminalQuestions } from './terminal-questions.js';

const USAGE = 'link <path> [--consent]';

const link: Subcommand = async (args, io) => {
  const { values, positionals } = readingArguments(USAGE, () =>
    parseArgs({
      args: plainArguments(args),
      allowPositionals: true,
      options: { consent: { type: 'boolean' }, debug: { type: 'boolean', short: 'd' } },
    }),
  );
  const [path = '', ...more] = positionals;
  if (path.trim() === '' || more.length > 0) throw new UserError(`Usage: gemini extensions ${USAGE}.`);
  const actions = await openActions(io);
  const questions = terminalQuestions(io, { consents: values.consent ?? false });
  const made = await actions.link(resolve(currentDirectory(), path), questions);
  if (!made) {
    io.stderr('Nothing was linked.');
    return 1;
  }
  io.stdout(`Extension "${made.name}" (${visibleName(made.version)}) linked successfully and enabled.\n`);
  return 0;
};

export default link;
