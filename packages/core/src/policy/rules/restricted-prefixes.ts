/** Normalises prefixes of deny and ask rules: users write `curl *` or `/usr/bin/curl` and mean every curl. */
import { basename } from 'node:path';

/** Adds spellings and never removes one, so a restriction only grows. Undefined: every command. */
export function restrictedPrefixes(prefixes: readonly string[]): string[] | undefined {
  const plain = prefixes.map((prefix) => prefix.replace(/\s*\*+$/, '').trim());
  if (plain.includes('')) return undefined;
  return [...new Set([...prefixes, ...plain, ...plain.map(withoutFolder)])];
}

function withoutFolder(prefix: string): string {
  const [program = '', ...rest] = prefix.split(' ');
  return [basename(program), ...rest].join(' ');
}
