/** Finds what git starts: by global options, by options of subcommands, and by settings. */
import type { Word } from '../types.js';
import { beforeEnd, type Danger, dangerousOptions, list, matching, type OptionTable } from './entry.js';

export const GIT_GLOBAL_OPTIONS: OptionTable = {
  long: '--config-env --exec-path --git-dir --work-tree --paginate',
  short: 'cp',
  valued: 'C',
};
/** Global options that take the next word as value. */
const GLOBAL_VALUED = new Set(
  list('-C -c --config-env --git-dir --work-tree --namespace --super-prefix --attr-source'),
);

/** Options of any subcommand. */
export const GIT_COMMON_OPTIONS: OptionTable = {
  long: '--upload-pack --receive-pack --exec --ext-diff --textconv --output --output-directory --open-files-in-pager',
  otherLong: '--text',
};

export const GIT_OPTIONS: Readonly<Record<string, OptionTable>> = {
  apply: { long: '--unsafe-paths' },
  archive: { long: '--remote', short: 'o' },
  'checkout-index': { long: '--prefix' },
  clone: { long: '--config --template --separate-git-dir', short: 'uc', valued: 'boj' },
  'fast-export': { long: '--export-marks' },
  'fast-import': { long: '--export-marks --export-pack-edges' },
  'format-patch': { short: 'o' },
  grep: { short: 'O', valued: 'efABCm' },
  init: { long: '--template --separate-git-dir' },
  mailsplit: { short: 'o', valued: 'df' },
  'read-tree': { long: '--index-output' },
  rebase: { short: 'x', valued: 'sX' },
};

/** Subcommands that run programs from their arguments or from settings; `bisect:run` is `bisect run`. */
export const GIT_RUNNERS = list(
  `bisect:run bisect:view bisect:visualize credential credential-cache credential-cache--daemon credential-store cvsserver daemon difftool filter-branch filter-repo for-each-repo gui hook http-backend
  instaweb lfs maintenance merge-index mergetool p4 receive-pack remote-ext remote-fd send-email shell submodule:foreach
  submodule--helper svn
  upload-archive upload-pack web--browse`,
);

/** Subcommands for which an "always" answer covers `git` and the subcommand. */
const PLAIN = new Set(
  list(`add blame branch cat-file checkout cherry-pick commit count-objects describe diff fetch fsck gc log ls-files
  ls-tree merge merge-base mv name-rev pull push reflog reset restore rev-list rev-parse revert rm shortlog show stash
  status switch tag`),
);

/** Settings that do not name a program. */
const PLAIN_SETTING =
  /^(?:user\.(?:name|email)|advice\.\w+|branch\.[^.]+\.(?:merge|rebase|description)|color\.[\w.]+|push\.(?:default|autosetupremote|followtags)|pull\.(?:rebase|ff)|fetch\.prune|init\.defaultbranch|rebase\.(?:autosquash|autostash)|rerere\.\w+|core\.(?:autocrlf|eol|filemode|ignorecase|longpaths|quotepath|safecrlf)|commit\.gpgsign|merge\.(?:ff|conflictstyle)|diff\.(?:renames|algorithm|colormoved))$/i;

const WITH_ADDRESSES = new Set(
  list('archive clone fetch fetch-pack ls-remote pull push remote send-pack submodule'),
);
/** In `ext::sh -c …` the transport is a program. */
const PROGRAM_ADDRESS = /(?:^|=)[a-z][\w+.-]*::/i;

const WITH_STRATEGY = new Set(list('merge pull rebase cherry-pick revert'));
/** Built-in strategies; any other x runs the program `git-merge-x`. */
const STRATEGIES = new Set(list('ort recursive resolve octopus ours subtree'));
const OUTSIDE = /^(?:[/~$`"]|(?:.*\/)?\.\.(?:\/|$))/;

/** Subcommands without an option that starts a program or names a file to write. */
const WITHOUT_DANGERS = new Set(list('add branch checkout commit mv reset restore rm status switch tag'));

/** A word of unknown value is harmless after a subcommand without dangerous options. */
export function gitUnknownPlaces(args: readonly Word[]): readonly Word[] {
  const at = subcommandAt(args);
  return WITHOUT_DANGERS.has(args[at]?.text ?? '') ? args.slice(0, at) : args;
}

export function gitDangers(args: readonly Word[]): Danger[] {
  const [first] = args;
  // An expansion as the first word may be any global option.
  if (first && !first.literal) return [{ written: first.source, option: first.source }];
  const at = subcommandAt(args);
  const name = args[at]?.text ?? '';
  const rest = args.slice(at + 1);
  const own = Object.hasOwn(GIT_OPTIONS, name) ? GIT_OPTIONS[name] : undefined;
  return [
    ...dangerousOptions(GIT_GLOBAL_OPTIONS, args.slice(0, at)),
    ...runner(name, rest),
    ...dangerousOptions(GIT_COMMON_OPTIONS, rest),
    ...(own ? dangerousOptions(own, rest) : []),
    ...(WITH_STRATEGY.has(name) ? strategyDangers(name, rest) : []),
    ...(name === 'bundle' ? matching(rest, OUTSIDE) : []),
    ...(name === 'config' ? settingDangers(rest) : []),
    ...(WITH_ADDRESSES.has(name) ? matching(rest, PROGRAM_ADDRESS) : []),
  ];
}

/** The words that an "always" answer for this command covers. */
export function gitBoundWords(words: readonly Word[]): readonly Word[] {
  const args = words.slice(1);
  const at = subcommandAt(args);
  return PLAIN.has(args[at]?.text ?? '') ? words.slice(0, at + 2) : words;
}

function subcommandAt(args: readonly Word[]): number {
  const at = args.findIndex(
    ({ text }, index) => !text.startsWith('-') && !GLOBAL_VALUED.has(args[index - 1]?.text ?? ''),
  );
  return at < 0 ? args.length : at;
}

function runner(name: string, rest: readonly Word[]): Danger[] {
  if (GIT_RUNNERS.includes(name)) return [{ written: name, option: name }];
  return rest
    .filter(({ text }) => GIT_RUNNERS.includes(`${name}:${text}`))
    .map(({ text }) => ({ written: text, option: text }));
}

function strategyDangers(name: string, rest: readonly Word[]): Danger[] {
  // `-s` of other subcommands means sign off.
  const short = /^(?:merge|pull|rebase)$/.test(name) ? 's' : '';
  const table: OptionTable = { long: '--strategy', otherLong: '--strategy-option', short, valued: 'mFXS' };
  return beforeEnd(rest).flatMap((word, index): Danger[] => {
    const [danger] = dangerousOptions(table, [word]);
    if (!danger) return [];
    const attached = /^(?:--[^=]*=|-[^-s]*s)([\s\S]+)$/.exec(word.text)?.[1];
    return STRATEGIES.has(attached ?? rest[index + 1]?.text ?? '') ? [] : [danger];
  });
}

/** Options of `git config` that take the next word as value. */
const CONFIG_VALUED = list('--comment --type --default --value --file --blob --url');

function isConfigValue(before: Word | undefined): boolean {
  const text = before?.text ?? '';
  return /^-[a-z]*f$/.test(text) || (text.length > 3 && CONFIG_VALUED.some((item) => item.startsWith(text)));
}

function settingDangers(rest: readonly Word[]): Danger[] {
  const other: OptionTable = {
    long: '--global --system --worktree --file --edit --blob --rename-section',
    short: 'fe',
  };
  const elsewhere = dangerousOptions(other, rest);
  const operands = rest.filter(({ text }, index) => !text.startsWith('-') && !isConfigValue(rest[index - 1]));
  const words = /^(?:set|get|list|unset|edit|rename-section|remove-section)$/.test(operands[0]?.text ?? '')
    ? operands.slice(1)
    : operands;
  if (operands[0]?.text === 'edit') return [{ written: 'edit', option: 'edit' }, ...elsewhere];
  const [key, value] = words;
  const isRead = value === undefined || beforeEnd(rest).some(({ text }) => /^--(?:get|list)/.test(text));
  if (!key || (isRead && key.literal)) return elsewhere.filter(({ option }) => /edit|-e$/.test(option));
  return key.literal && PLAIN_SETTING.test(key.text)
    ? elsewhere
    : [{ written: key.text, option: key.text }, ...elsewhere];
}
