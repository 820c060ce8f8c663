/** Matches glob patterns against the paths of a walk. Loads the glob library with the first real pattern. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { isInside } from '../platform/files/real-path.js';

type Test = (text: string) => boolean;
type Compile = (glob: string) => Test;

export interface IncludeMatcher {
  matches(relativePath: string): boolean;
  /** False when no file below this directory can match. Called from the top down. */
  mayContain(relativeDirectory: string): boolean;
}

export type ExcludeTest = (relativePath: string, name: string, isDirectory: boolean) => boolean;

export interface GlobContext {
  root: string;
  caseSensitive: boolean;
}

export async function compileInclude(
  patterns: readonly string[],
  context: GlobContext,
): Promise<IncludeMatcher> {
  // A pattern that is still absolute leads outside this root and cannot match.
  const globs = patterns
    .map((pattern) => normalize(pattern, context.root))
    .filter((glob) => !isAbsolute(glob));
  if (globs.includes('**') || globs.includes('**/*')) {
    return { matches: () => true, mayContain: () => true };
  }
  const compile = await globCompiler(context);
  const parts = globs.map((glob) => ({ matches: compile(glob), mayContain: prefixTest(glob, compile) }));
  return {
    matches: (path) => parts.some((part) => part.matches(path)),
    mayContain: (directory) => parts.some((part) => part.mayContain(directory)),
  };
}

/** A pattern without a slash names files and directories at any depth. */
export async function compileExclude(
  patterns: readonly string[],
  context: GlobContext,
): Promise<ExcludeTest> {
  const fold = (text: string) => (context.caseSensitive ? text : text.toLowerCase());
  const directories = new Set<string>();
  const globs: string[] = [];
  for (const pattern of patterns) {
    const directory = EVERY_DIRECTORY_NAMED.exec(pattern)?.[1];
    if (directory) directories.add(fold(directory));
    else globs.push(normalize(pattern, context.root));
  }
  const isNamed: ExcludeTest = (_path, name, isDirectory) => isDirectory && directories.has(fold(name));
  if (globs.length === 0) return isNamed;
  const compile = await globCompiler(context);
  const tests = globs.map((glob) => ({ test: compile(glob), byName: !glob.includes('/') }));
  return (path, name, isDirectory) =>
    isNamed(path, name, isDirectory) || tests.some(({ test, byName }) => test(byName ? name : path));
}

const MAGIC = /[*?[\]{}()!+@|\\]/;
const EVERY_DIRECTORY_NAMED = /^\*\*\/([^/*?[\]{}()!+@|\\]+)\/\*\*$/;

async function globCompiler({ caseSensitive }: GlobContext): Promise<Compile> {
  const { default: picomatch } = await import('picomatch');
  return (glob) => picomatch(glob, { dot: true, flags: caseSensitive ? 's' : 'is', nonegate: true });
}

/** Relative to the root; segments that exist under exactly that name (`app/[id]`) become literal. */
function normalize(pattern: string, root: string): string {
  let glob = pattern.replace(/\/{2,}/g, '/').replace(/^(\.\/)+/, '');
  if (isAbsolute(glob) && isInside(glob, root)) glob = relative(root, glob).split(sep).join('/');
  if (glob.endsWith('/')) glob += '**';
  const segments = glob.split('/');
  let literal = '';
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index] ?? '';
    literal = join(literal, segment);
    if (segment === '**' || segment.includes('\0') || !existsSync(join(root, literal))) break;
    segments[index] = segment.replace(new RegExp(MAGIC, 'g'), '\\$&');
  }
  return segments.join('/');
}

/** Compares a directory's last segment with the pattern's segment at that depth. */
function prefixTest(glob: string, compile: Compile): Test {
  // A slash inside braces or parentheses makes the depth of segments unknown.
  if (/[{(][^})]*\//.test(glob)) return () => true;
  const segments = glob.split('/');
  const globstar = segments.findIndex((segment) => segment.includes('**'));
  const tests = segments.slice(0, globstar === -1 ? -1 : globstar).map(compile);
  return (directory) => {
    const names = directory.split('/');
    const test = tests[names.length - 1];
    if (!test) return globstar !== -1;
    return test(names.at(-1) ?? '');
  };
}
