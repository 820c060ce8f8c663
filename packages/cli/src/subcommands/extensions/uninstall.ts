/** `gemini extensions uninstall <names…> | --all`. */
import { parseArgs } from 'node:util';
import { messageOf, UserError } from '@gemini-cli/core';
import { oneLine } from '../../output/output.js';
import type { Subcommand } from '../subcommand.js';
import { openActions } from './actions.js';
import { openExtensions } from './open.js';
import { plainArguments, readingArguments } from './reading-arguments.js';
import { terminalQuestions } from './terminal-questions.js';

const USAGE = 'uninstall <names…> | --all';

const uninstall: Subcommand = async (args, io) => {
  const { values, positionals } = readingArguments(USAGE, () =>
    parseArgs({
      args: plainArguments(args),
      allowPositionals: true,
      options: { all: { type: 'boolean' }, debug: { type: 'boolean', short: 'd' } },
    }),
  );
  const all = values.all ?? false;
  if (all === positionals.length > 0) throw new UserError(`Usage: gemini extensions ${USAGE}.`);
  const names = all
    ? (await openExtensions(io)).extensions.map(({ name }) => name)
    : [...new Set(positionals)];
  if (names.length === 0) io.stdout('No extensions installed.\n');
  const actions = await openActions(io);
  const questions = terminalQuestions(io);
  let failures = 0;
  for (const name of names) {
    try {
      const removed = await actions.uninstall(name, questions);
      io.stdout(`Extension "${oneLine(removed)}" successfully uninstalled.\n`);
    } catch (error) {
      failures += 1;
      io.stderr(oneLine(messageOf(error)));
    }
  }
  return failures > 0 ? 1 : 0;
};

export default uninstall;
