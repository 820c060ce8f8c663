/** `gemini extensions <verb> …`: one file for each verb, loaded when it is called. */
import { oneLine } from '../../output/output.js';
import type { Subcommand } from '../subcommand.js';

const VERBS: Readonly<Record<string, () => Promise<{ default: Subcommand }>>> = {
  config: () => import('./config.js'),
  convert: () => import('./convert.js'),
  disable: async () => ({ default: (await import('./switch.js')).disable }),
  enable: async () => ({ default: (await import('./switch.js')).enable }),
  import: () => import('./import.js'),
  install: () => import('./install.js'),
  link: () => import('./link.js'),
  list: () => import('./list.js'),
  new: () => import('./new.js'),
  uninstall: () => import('./uninstall.js'),
  update: () => import('./update.js'),
  validate: () => import('./validate.js'),
};

const run: Subcommand = async ([verb = '', ...args], io) => {
  const handler = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (handler) return (await handler()).default(args, io);
  const known = Object.keys(VERBS).join(', ');
  io.stderr(
    verb === ''
      ? `gemini extensions: name what to do: ${known}.`
      : `gemini extensions: there is no "${oneLine(verb)}". Known: ${known}.`,
  );
  return 1;
};

export default run;
