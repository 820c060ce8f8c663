/** `include_pattern` and `exclude_glob`: which files a search looks at. */

/** Plain enough that ripgrep's globs and ours cannot differ. */
const SIMPLE_NAME_GLOB = /^[\w.*-]+(?:\{[\w.*,-]+\})?$/;

/** The glob of a file name that ripgrep can apply itself; undefined when we must judge the paths. */
export function ripgrepNameGlob(include: string | undefined): string | undefined {
  const glob = include?.replace(/^\*\*\//, '');
  return glob !== undefined && SIMPLE_NAME_GLOB.test(glob) && !glob.includes('**') ? glob : undefined;
}

/** Judges a path below the search target, with `/`. */
export async function pathFilter(
  include: string | undefined,
  exclude: string | undefined,
): Promise<(relativePath: string) => boolean> {
  const isIncluded = await includeTest(include);
  if (exclude === undefined) return isIncluded;
  const isExcluded = await excludeTest(exclude);
  return (path) => isIncluded(path) && !isExcluded(path);
}

/** A glob without a slash excludes files of that name and everything in folders of that name. */
async function excludeTest(exclude: string): Promise<(relativePath: string) => boolean> {
  const { default: picomatch } = await import('picomatch');
  const glob = exclude.replace(/^(?:\.?\/)+/, '');
  const matches = picomatch(glob.endsWith('/') ? `${glob}**` : glob, { dot: true });
  if (glob.includes('/')) return (path) => matches(path);
  return (path) => path.split('/').some((name) => matches(name));
}

/** A glob without a slash is compared with the name alone. */
async function includeTest(include: string | undefined): Promise<(relativePath: string) => boolean> {
  if (include === undefined) return () => true;
  const { default: picomatch } = await import('picomatch');
  const glob = include.replace(/^(?:\.?\/)+/, '');
  const matches = picomatch(glob.endsWith('/') ? `${glob}**` : glob, { dot: true });
  if (glob.includes('/')) return (path) => matches(path);
  return (path) => matches(path.slice(path.lastIndexOf('/') + 1));
}
