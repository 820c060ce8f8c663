/** What git starts: by its own options, by options of its subcommands, and by settings it is given. */
import type { Word } from '../types.js';
import { beforeEnd, type Danger, dangerousOptions, list, matching, type OptionTable } from './entry.js';

export const GIT_GLOBAL_OPTIONS: OptionTable = {
  long: '--config-env --exec-path --git-dir --work-tree --paginate',
  short: 'cp',
  valued: 'C',
};
/** These take the next word. */
const GLOBAL_VALUED = new Set(
  list('-C -c --config-env --git-dir --work-tree --namespace --super-prefix --attr-source'),
);

/** Options of every subcommand; unique beginnings count. */
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

/** Subcommands that run what they are told, or what settings say. */
export const GIT_RUNNERS = list(
  `bisect:run bisect:view bisect:visualize credential credential-cache credential-cache--daemon credential-store cvsserver daemon difftool filter-branch filter-repo for-each-repo gui hook http-backend
  instaweb lfs maintenance merge-index mergetool p4 receive-pack remote-ext remote-fd send-email shell submodule:foreach
  submodule--helper svn
  upload-archive upload-pack web--browse`,
);

/** Their words say what they do: an answer holds for program and subcommand. */
const PLAIN = new Set(
  list(`add blame branch cat-file checkout cherry-pick commit count-objects describe diff fetch fsck gc log ls-files
  ls-tree merge merge-base mv name-rev pull push reflog reset restore rev-list rev-parse revert rm shortlog show stash
  status switch tag`),
);

/** Settings that choose no program. */
const PLAIN_SETTING =
  /^(?:user\.(?:name|email)|advice\.\w+|branch\.[^.]+\.(?:merge|rebase|description)|color\.[\w.]+|push\.(?:default|autosetupremote|followtags)|pull\.(?:rebase|ff)|fetch\.prune|init\.defaultbranch|rebase\.(?:autosquash|autostash)|rerere\.\w+|core\.(?:autocrlf|eol|filemode|ignorecase|longpaths|quotepath|safecrlf)|commit\.gpgsign|merge\.(?:ff|conflictstyle)|diff\.(?:renames|algorithm|colormoved))$/i;

const WITH_ADDRESSES = new Set(
  list('archive clone fetch fetch-pack ls-remote pull push remote send-pack submodule'),
);
/** `ext::sh -c …`: the transport is a program. */
const PROGRAM_ADDRESS = /(?:^|=)[a-z][\w+.-]*::/i;

const WITH_STRATEGY = new Set(list('merge pull rebase cherry-pick revert'));
/** Any other `x` is the program `git-merge-x`. */
const STRATEGIES = new Set(list('ort recursive resolve octopus ours subtree'));
const OUTSIDE = /^(?:[/~$`"]|(?:.*\/)?\.\.(?:\/|$))/;

/** No option of these starts a program or chooses a file to write. */
const WITHOUT_DANGERS = new Set(list('add branch checkout commit mv reset restore rm status switch tag'));

/** A word of unknown value is no danger behind a subcommand without dangerous options. */
export function gitUnknownPlaces(args: readonly Word[]): readonly Word[] {
  const at = subcommandAt(args);
  return WITHOUT_DANGERS.has(args[at]?.text ?? '') ? args.slice(0, at) : args;
}

export function gitDangers(args: readonly Word[]): Danger[] {
  const [first] = args;
  // An expansion in the place of the first option may be any option.
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

/** The words an answer for this command holds for. */
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

/** `bisect run x` as `bisect:run` in the list. */
function runner(name: string, rest: readonly Word[]): Danger[] {
  if (GIT_RUNNERS.includes(name)) return [{ written: name, option: name }];
  return rest
    .filter(({ text }) => GIT_RUNNERS.includes(`${name}:${text}`))
    .map(({ text }) => ({ written: text, option: text }));
}

function strategyDangers(name: string, rest: readonly Word[]): Danger[] {
  // Elsewhere `-s` signs off.
  const short = /^(?:merge|pull|rebase)$/.test(name) ? 's' : '';
  const table: OptionTable = { long: '--strategy', otherLong: '--strategy-option', short, valued: 'mFXS' };
  return beforeEnd(rest).flatMap((word, index): Danger[] => {
    const [danger] = dangerousOptions(table, [word]);
    if (!danger) return [];
    const attached = /^(?:--[^=]*=|-[^-s]*s)([\s\S]+)$/.exec(word.text)?.[1];
    return STRATEGIES.has(attached ?? rest[index + 1]?.text ?? '') ? [] : [danger];
  });
}

/** Options of `config` that take the next word. */
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
