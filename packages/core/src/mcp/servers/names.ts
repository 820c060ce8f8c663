/** How servers are named in lists of settings and flags. */
import type { ResolvedServer } from '../config.js';

export function normalized(name: string): string {
  return name.trim().toLowerCase();
}

/** A server of an extension may also be given as `ext:<extension>:<server>`. */
export function isListed(
  { name, extension }: Pick<ResolvedServer, 'name' | 'extension'>,
  list: readonly string[],
): boolean {
  const own = [normalized(name), ...(extension ? [normalized(`ext:${extension.name}:${name}`)] : [])];
  return list.some((entry) => own.includes(normalized(entry)));
}
