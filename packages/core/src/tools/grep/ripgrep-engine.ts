/** The search done by ripgrep: one process, which also applies the ignore rules where it can. */
import { dirname, join, relative, sep } from 'node:path';
import { DeveloperError } from '../../base/errors.js';
import { runRipgrep } from '../../platform/process/ripgrep.js';
import { SandboxError } from '../../platform/sandbox/types.js';
import { pathFilter, ripgrepNameGlob } from './include-filter.js';
import { PatternError, SlowPatternError } from './pattern-error.js';
import { toLineRegExp } from './regex-translate.js';
import { ripgrepIgnoreArgs } from './ripgrep-ignore.js';
import { RipgrepOutput } from './ripgrep-output.js';
import type { SearchQuery, SearchRun, SearchTarget } from './search-types.js';

/** ripgrep failed; the built-in search is tried instead. */
export class EngineFailure extends DeveloperError {}

/** Throws a PatternError, an EngineFailure, or the signal's reason. */
export async function searchWithRipgrep(binary: string, run: SearchRun): Promise<void> {
  try {
    return await searchOnce(binary, run, 'default');
  } catch (error) {
    const isRefused = error instanceof PatternError && !(error instanceof SlowPatternError);
    if (!isRefused || run.query.fixedStrings) throw error;
    // PCRE2 accepts what the default engine refuses: look-around, back references, a lone brace.
    await searchOnce(binary, run, 'pcre2').catch((second: unknown) => {
      throw second instanceof PatternError ? error : second;
    });
  }
}

async function searchOnce(binary: string, run: SearchRun, engine: 'default' | 'pcre2'): Promise<void> {
  const { target, query, collector, signal, sandbox } = run;
  const place = target.isFile ? filePlace(target) : folderPlace(run);
  const isWanted = await pathTest(run, place.needsJudging);
  const check = engine === 'pcre2' ? lineCheck(query) : undefined;
  const namesOnly = query.namesOnly && !collector.excludes && !check;
  const output = new RipgrepOutput(namesOnly, (path, line, text) => {
    const absolute = join(target.base, path);
    if (!isWanted(absolute) || check?.(text) === false) return 'more';
    return collector.add(absolute, query.namesOnly ? 0 : line, text);
  });
  const guard = collector.excludes || check ? (await import('./guard.js')).createGuard() : runPlainly;
  const outcome = await runRipgrep({
    binary,
    args: [`--engine=${engine}`, ...searchArgs(run, { judgesLines: check !== undefined }), ...place.args],
    cwd: target.base,
    signal,
    ...(sandbox && { isolate: (call) => sandbox.wrapHelper(call, { programs: [binary] }) }),
    onOutput: (chunk) => guard(() => output.push(chunk)),
  }).catch((error: unknown) => {
    if (error instanceof PatternError || error instanceof SandboxError) throw error;
    throw new EngineFailure('ripgrep cannot be started', { cause: error });
  });
  if (outcome.endedBy === 'abort') signal.throwIfAborted();
  const failed = outcome.endedBy === 'exit' && outcome.exitCode !== 0 && outcome.exitCode !== 1;
  if (failed && (outcome.exitCode === null || outcome.errors.trim() !== '')) throw toError(outcome.errors);
}

/** ripgrep's own matching needs no guard. */
function runPlainly<T>(work: () => T): T {
  return work();
}

/** PCRE2 also matches the line feed at a line's end (`foo(?=\s)`); such matches do not count. */
function lineCheck(query: SearchQuery): ((text: string) => boolean) | undefined {
  try {
    const regex = toLineRegExp(query.pattern, query);
    return (text) => text.length >= MAX_COLUMNS || regex.test(text);
  } catch {
    return undefined;
  }
}

const MAX_COLUMNS = 8000;

const FIXED_ARGS = [
  '--null',
  '--no-heading',
  '--with-filename',
  '--line-number',
  '--color=never',
  '--no-messages',
  '--hidden',
  '--crlf',
  '--no-mmap',
  // Only bounds the output; lines are cut to the wanted length later.
  `--max-columns=${MAX_COLUMNS}`,
  '--max-columns-preview',
];

function searchArgs({ query, collector }: SearchRun, { judgesLines }: { judgesLines: boolean }): string[] {
  const args = [...FIXED_ARGS, query.caseSensitive ? '--case-sensitive' : '--ignore-case'];
  // Otherwise ripgrep cannot count: some of its matches are filtered out here.
  const isFinal = !collector.excludes && !judgesLines;
  if (isFinal && query.namesOnly) args.push('--files-with-matches');
  else if (isFinal && query.maxPerFile) args.push(`--max-count=${query.maxPerFile}`);
  if (query.fixedStrings) args.push('--fixed-strings', `--regexp=${query.pattern}`);
  else args.push(`--regexp=${withLineAnchors(query.pattern)}`);
  return args;
}

/** `\A` and `\z` mean a line's ends, as `^` and `$` do; ripgrep itself sees a line feed before `\z`. */
function withLineAnchors(pattern: string): string {
  return pattern.replace(/\\./gs, (pair) => ANCHORS[pair] ?? pair);
}

const ANCHORS: Record<string, string> = { '\\A': '^', '\\z': '$', '\\Z': '$' };

interface Place {
  args: string[];
  /** ripgrep may report ignored files; each must be judged by the filter. */
  needsJudging: boolean;
}

function folderPlace({ target, query }: SearchRun): Place {
  const { args, needsJudging } = ripgrepIgnoreArgs(query.filter, target.base);
  const nameGlob = ripgrepNameGlob(query.include);
  // As a type, since a glob given by `--glob` would override the ignore files.
  if (nameGlob !== undefined) args.push(`--type-add=wanted:${nameGlob}`, '--type=wanted');
  const excluded = ripgrepNameGlob(query.exclude);
  if (excluded !== undefined) args.push(`--glob=!${excluded}`);
  for (const directory of query.skippedDirectories) args.push(`--glob=!${directory}/`);
  for (const suffix of query.skippedSuffixes) args.push(`--glob=!*${suffix}`);
  return { args: [...args, '--', dotPath(target, target.path)], needsJudging };
}

/** Found in its folder, since ripgrep does not skip binary data in a file that it is given by name. */
function filePlace(target: SearchTarget): Place {
  const name = relative(target.base, target.path)
    .split(sep)
    .join('/')
    .replace(/[[\]{}*?\\ ]/g, '\\$&');
  const args = [
    '--no-ignore',
    '--max-depth=1',
    `--glob=/${name}`,
    '--',
    dotPath(target, dirname(target.path)),
  ];
  return { args, needsJudging: false };
}

function dotPath({ base }: SearchTarget, path: string): string {
  return `.${sep}${relative(base, path)}`;
}

/** What ripgrep could not decide about a file; asked once per file, as its matches come together. */
async function pathTest(
  { target, query }: SearchRun,
  needsJudging: boolean,
): Promise<(path: string) => boolean> {
  const judged = (glob: string | undefined) =>
    target.isFile || ripgrepNameGlob(glob) !== undefined ? undefined : glob;
  const [include, exclude] = [judged(query.include), judged(query.exclude)];
  if (include === undefined && exclude === undefined && !needsJudging) return () => true;
  const isSearched = await pathFilter(include, exclude);
  let lastPath = '';
  let lastVerdict = false;
  return (path) => {
    if (path === lastPath) return lastVerdict;
    lastPath = path;
    const below = relative(target.path, path).split(sep).join('/');
    lastVerdict = isSearched(below) && !(needsJudging && query.filter.isPathIgnored(path, false));
    return lastVerdict;
  };
}

function toError(errors: string): Error {
  if (/PCRE2 is not available/.test(errors)) return new EngineFailure(errors.trim());
  const isPattern = /regex parse error|PCRE2: error|not allowed in a regex|size limit/.test(errors);
  if (!isPattern) return new EngineFailure(errors.trim());
  const reason = /^error: (.+)$/m.exec(errors)?.[1] ?? errors.trim().split('\n')[0];
  return new PatternError(reason ?? 'it cannot be read');
}
