/** `gemini extensions install <source>`. */
import { parseArgs } from 'node:util';
import { UserError, visibleName } from '@gemini-cli/core';
import type { ExtensionInstallRequest } from '../../commands/extension-actions.js';
import type { Subcommand, SubcommandIo } from '../subcommand.js';
import { openActions } from './actions.js';
import { plainArguments, readingArguments } from './reading-arguments.js';
import { terminalQuestions } from './terminal-questions.js';

const USAGE =
  'install <source> [--ref R] [--path SUB] [--auto-update] [--pre-release] [--consent] [--skip-settings]';

const install: Subcommand = async (args, io) => {
  const { values, positionals } = readingArguments(USAGE, () =>
    parseArgs({
      args: plainArguments(args),
      allowPositionals: true,
      options: {
        ref: { type: 'string' },
        path: { type: 'string' },
        'auto-update': { type: 'boolean' },
        'pre-release': { type: 'boolean' },
        consent: { type: 'boolean' },
        'skip-settings': { type: 'boolean' },
        debug: { type: 'boolean', short: 'd' },
      },
    }),
  );
  const [source = '', ...more] = positionals;
  if (source.trim() === '' || more.length > 0) throw new UserError(`Usage: gemini extensions ${USAGE}.`);
  const request: ExtensionInstallRequest = {
    source,
    ...(values.ref !== undefined && { ref: values.ref }),
    ...(values.path !== undefined && { path: values.path }),
    ...(values['auto-update'] && { autoUpdate: true }),
    ...(values['pre-release'] && { allowPreRelease: true }),
    ...(values['skip-settings'] && { skipSettings: true }),
  };
  return installFrom(request, { consents: values.consent ?? false }, io);
};

export default install;

export async function installFrom(
  request: ExtensionInstallRequest,
  { consents }: { consents: boolean },
  io: SubcommandIo,
): Promise<number> {
  const actions = await openActions(io);
  const made = await actions.install(request, terminalQuestions(io, { consents }));
  if (!made) {
    io.stderr('Nothing was installed.');
    return 1;
  }
  io.stdout(`Extension "${made.name}" (${visibleName(made.version)}) installed successfully and enabled.\n`);
  return 0;
}
