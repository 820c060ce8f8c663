/** Finds what npm, pnpm and yarn start by options and subcommands. */
import type { Word } from '../types.js';
import { type Danger, dangerousOptions, matching, maybeSubcommands } from './entry.js';

export const PACKAGE_OPTIONS = `--script-shell --shell --node-options --call --globalconfig --userconfig --git --viewer
  --editor --browser --onload-script --init-module`;

/** `npm config set script-shell x`, `npm -c`, `npm --prefix . run env -- ./p`. */
export function packageDangers(args: readonly Word[]): Danger[] {
  // npm accepts options with any number of dashes.
  const options = args.map((word) => ({ ...word, text: word.text.replace(/^-+(?=[A-Za-z][\w-]{2})/, '--') }));
  return [
    ...dangerousOptions({ long: PACKAGE_OPTIONS }, options),
    ...maybeSubcommands(args).flatMap((at) => commandDangers(args.slice(at))),
  ];
}

/** @param args from the possible npm command on */
function commandDangers(args: readonly Word[]): Danger[] {
  const words = args.filter(({ text }) => !text.startsWith('-'));
  const command = words[0]?.text ?? '';
  const env = words.findIndex(({ text }) => text === 'env');
  const first = matching(words.slice(0, 1), /./);
  // `npm init -y` writes a package.json; `npm init x` runs the package create-x, `npm init` a configured script.
  if (/^(?:ini|inn?it)$/.test(command)) {
    return args.slice(1).some(({ text }) => /^(?:-y|--yes)$/.test(text)) && words.length === 1 ? [] : first;
  }
  // npm accepts any unique abbreviation of a command. `npm run env -- x` runs x.
  const isStarter =
    command.length > 1 && ['exec', 'explore', 'edit', 'create'].some((item) => item.startsWith(command));
  if (isStarter) return first;
  const isEnv = /^(?:run|run-script|rum|urn)$/.test(command) && env > 0 && words.length > env + 1;
  if (isEnv) return [...first, ...matching(words.slice(env, env + 1), /./)];
  const isSetting = /^(?:c|config|conf|set|pkg)$/.test(command);
  return isSetting ? matching(words, /^(?:set|edit|delete)$/) : [];
}
