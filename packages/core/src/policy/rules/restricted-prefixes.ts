/** Prefixes of deny and ask rules as people write them: with a star behind, or with the folder of the program. */
import { basename } from 'node:path';

/** More texts than were written, never fewer: a restriction may only hold for more. Undefined: every command. */
export function restrictedPrefixes(prefixes: readonly string[]): string[] | undefined {
  const plain = prefixes.map((prefix) => prefix.replace(/\s*\*+$/, '').trim());
  if (plain.includes('')) return undefined;
  return [...new Set([...prefixes, ...plain, ...plain.map(withoutFolder)])];
}

/** `/usr/bin/curl` forbids curl, wherever it is found. */
function withoutFolder(prefix: string): string {
  const [program = '', ...rest] = prefix.split(' ');
  return [basename(program), ...rest].join(' ');
}
