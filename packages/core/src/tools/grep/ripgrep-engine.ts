/** The search done by ripgrep: one process, which also applies the ignore rules where it can. */
import { join, relative, sep } from 'node:path';
import { runRipgrep } from '../../platform/ripgrep.js';
import { createGuard } from './guard.js';
import { includeTest, ripgrepNameGlob } from './include-filter.js';
import { PatternError } from './pattern-error.js';
import { ripgrepIgnoreArgs } from './ripgrep-ignore.js';
import { RipgrepOutput } from './ripgrep-output.js';
import type { SearchRun } from './search-types.js';

/** ripgrep could not do it; the built-in search may. */
export class EngineFailure extends Error {}

/** Throws a PatternError, an EngineFailure, or the signal's reason. */
export async function searchWithRipgrep(binary: string, run: SearchRun): Promise<void> {
  const { target, query, collector, signal } = run;
  const ignore = ripgrepIgnoreArgs(query.filter, target.base);
  const isWanted = await pathTest(run, ignore.needsJudging);
  const namesOnly = query.namesOnly && !collector.excludes;
  const output = new RipgrepOutput(namesOnly, (path, line, text) => {
    const absolute = join(target.base, path);
    return isWanted(absolute) ? collector.add(absolute, query.namesOnly ? 0 : line, text) : 'more';
  });
  const guard = collector.excludes ? createGuard() : <T>(work: () => T) => work();
  const outcome = await runRipgrep({
    binary,
    args: [...searchArgs(run), ...ignore.args, '--', pathArgument(run)],
    cwd: target.base,
    signal,
    onOutput: (chunk) => guard(() => output.push(chunk)),
  }).catch((error: unknown) => {
    if (error instanceof PatternError) throw error;
    throw new EngineFailure('ripgrep cannot be started', { cause: error });
  });
  if (outcome.endedBy === 'abort') signal.throwIfAborted();
  const failed = outcome.endedBy === 'exit' && outcome.exitCode !== 0 && outcome.exitCode !== 1;
  if (failed && (outcome.exitCode === null || outcome.errors.trim() !== '')) throw toError(outcome.errors);
}

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
  // Look-around and back references are searched with PCRE2, everything else with the fast engine.
  '--engine=auto',
  // Only bounds the output; lines are cut to the wanted length later.
  '--max-columns=8000',
  '--max-columns-preview',
];

function searchArgs({ query, collector }: SearchRun): string[] {
  const args = [...FIXED_ARGS, query.caseSensitive ? '--case-sensitive' : '--ignore-case'];
  if (query.fixedStrings) args.push('--fixed-strings');
  const nameGlob = ripgrepNameGlob(query.include);
  // As a type, since a glob given by `--glob` would override the ignore files.
  if (nameGlob !== undefined) args.push(`--type-add=wanted:${nameGlob}`, '--type=wanted');
  for (const directory of query.skippedDirectories) args.push(`--glob=!${directory}/`);
  for (const suffix of query.skippedSuffixes) args.push(`--glob=!*${suffix}`);
  // With excluded lines only we know which matches count.
  if (!collector.excludes && query.namesOnly) args.push('--files-with-matches');
  else if (!collector.excludes && query.maxPerFile) args.push(`--max-count=${query.maxPerFile}`);
  args.push(`--regexp=${query.pattern}`);
  return args;
}

function pathArgument({ target }: SearchRun): string {
  return `.${sep}${relative(target.base, target.path)}`;
}

/** What ripgrep could not decide about a file; asked once per file, as its matches come together. */
async function pathTest(
  { target, query }: SearchRun,
  needsJudging: boolean,
): Promise<(path: string) => boolean> {
  const needsInclude =
    query.include !== undefined && !target.isFile && ripgrepNameGlob(query.include) === undefined;
  if (!needsInclude && !needsJudging) return () => true;
  const matchesInclude = await includeTest(needsInclude ? query.include : undefined);
  let lastPath = '';
  let lastVerdict = false;
  return (path) => {
    if (path === lastPath) return lastVerdict;
    lastPath = path;
    const below = relative(target.path, path).split(sep).join('/');
    lastVerdict = matchesInclude(below) && !(needsJudging && query.filter.isPathIgnored(path, false));
    return lastVerdict;
  };
}

function toError(errors: string): Error {
  const isPattern = /regex parse error|could not be compiled|PCRE2|not allowed in a regex|size limit/.test(
    errors,
  );
  // A ripgrep without PCRE2; our own search knows look-around.
  const isBeyondEngine =
    /look-around|backreferences/.test(errors) && !/PCRE2 regex engine error/.test(errors);
  if (!isPattern || isBeyondEngine) return new EngineFailure(errors.trim());
  const reason = /^error: (.+)$/m.exec(errors)?.[1] ?? /^PCRE2: (.+)$/m.exec(errors)?.[1];
  return new PatternError(reason ?? errors.trim().split('\n')[0] ?? 'cannot be read');
}
