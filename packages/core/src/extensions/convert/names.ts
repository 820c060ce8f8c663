/** Names that are valid here, made from any text. */

const MAX_LENGTH = 64;

/** Name of an extension: `[a-z0-9-]`. Empty: nothing usable is left. */
export function extensionName(written: string): string {
  return slug(written, /[^a-z0-9-]+/g);
}

/** Name of a skill's folder or an agent: `[a-z0-9_-]`. */
export function componentName(written: string): string {
  return slug(written, /[^a-z0-9_-]+/g);
}

/** One part of a command's path: what the loader shows unchanged, never hidden. */
export function commandPart(written: string): string {
  return written
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 50);
}

/** Name of an MCP server: tool names use `_` as separator. */
export function serverName(written: string): string {
  return written
    .replace(/[^A-Za-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_LENGTH);
}

function slug(written: string, others: RegExp): string {
  return written
    .toLowerCase()
    .replace(others, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_LENGTH)
    .replace(/-+$/, '');
}

/** The first of `name`, the alternatives, `name-2`, `name-3`… that is free; comparison ignores case. */
export function freeName(taken: ReadonlySet<string>, names: readonly [string, ...string[]]): string {
  const isFree = (name: string) => name !== '' && !taken.has(name.toLowerCase());
  const found = names.find(isFree);
  if (found !== undefined) return found;
  const base = names.at(-1) ?? names[0];
  for (let count = 2; ; count++) if (isFree(`${base}-${count}`)) return `${base}-${count}`;
}
