/** Options with which git only shows something: it starts no program, writes nothing, uses no other repository. */

const SUBCOMMANDS = new Set(['status', 'log', 'diff', 'show', 'branch']);

/** Whole names only, since an abbreviation (`--ext`) may mean another option. With or without a value. */
const LONG = new Set(
  `abbrev abbrev-commit after ahead-behind all all-match anchored ancestry-path author author-date-order before binary
  boundary branch branches cached cc check cherry cherry-mark cherry-pick children color color-moved color-moved-ws
  color-words column combined-all-paths committer compact-summary contains cumulative date date-order decorate
  decorate-refs decorate-refs-exclude dense diff-algorithm diff-filter dirstat dst-prefix encoding exclude exit-code
  extended-regexp find-copies find-copies-harder find-object find-renames first-parent fixed-strings follow format
  full-diff full-history full-index function-context glob graph grep histogram ignore-all-space ignore-blank-lines
  ignore-case ignore-cr-at-eol ignore-matching-lines ignore-space-at-eol ignore-space-change ignore-submodules ignored
  indent-heuristic inter-hunk-context invert-grep irreversible-delete ita-invisible-in-index left-only left-right
  line-prefix list log-size long max-count max-depth max-parents merge-base merged merges min-parents minimal
  name-only name-status no-abbrev no-abbrev-commit no-ahead-behind no-color no-color-moved no-column no-commit-id
  no-contains no-decorate no-diff-merges no-ext-diff no-indent-heuristic no-mailmap no-max-parents no-merged no-merges
  no-min-parents no-notes no-patch no-prefix no-relative no-renames no-rename-empty no-textconv no-use-mailmap no-walk
  not notes null numstat oneline parents patch patch-with-raw patch-with-stat patience perl-regexp pickaxe-all
  pickaxe-regex point-at porcelain pretty quiet raw reflog regexp-ignore-case relative relative-date remotes rename-empty
  renames reverse right-only root short shortstat show-current show-pulls show-stash simplify-by-decoration
  simplify-merges since since-as-filter skip sort source sparse src-prefix staged stat stat-count stat-graph-width
  stat-name-width stat-width summary tags text topo-order unified until untracked-files use-mailmap verbose walk-reflogs
  word-diff word-diff-regex ws-error-highlight`.split(/\s+/),
);
const SHORT: Readonly<Record<string, RegExp>> = {
  status: /^-(?:[sbvz]+|s?b?u(?:no|normal|all)?)$/,
  branch: /^-[arvi]+$/,
  log: /^-(?:\d+|[pucmzsraRwbiEFPgtWq]+|[nUMCBl]\d*%?|[SGL].*)$/s,
  diff: /^-(?:[puczsraRwbtWq]+|[UMCBl]\d*%?|[SG].*)$/s,
  show: /^-(?:\d+|[pucmzsraRwbiEFPtWq]+|[nUMCBl]\d*%?|[SG].*)$/s,
};
/** The options with which `git branch` lists; a name would create a branch. */
const BRANCH_LISTING = new Set(
  'all column contains format ignore-case list merged no-color no-column no-contains no-merged remotes show-current sort verbose'.split(
    ' ',
  ),
);
/** To check a signature git starts a program. */
const SHOWS_SIGNATURE = /%G|%\(signature/;

/** @param words arguments of git; the only global option may be `--no-pager` */
export function onlyShows(words: readonly string[]): boolean {
  const [subcommand = '', ...args] = words[0] === '--no-pager' ? words.slice(1) : words;
  if (!SUBCOMMANDS.has(subcommand) || args.some((text) => SHOWS_SIGNATURE.test(text))) return false;
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  const isBranch = subcommand === 'branch';
  if (isBranch && before.length < args.length) return false;
  return before.every((text) => {
    if (!text.startsWith('-') || text === '-') return !isBranch;
    if (!text.startsWith('--')) return SHORT[subcommand]?.test(text) ?? false;
    const name = text.slice(2).split('=')[0] ?? '';
    return isBranch ? BRANCH_LISTING.has(name) : LONG.has(name);
  });
}
