/** Reads a header that is not valid YAML, line by line: top-level fields with their indented lines. */

const FIELD = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/;
const ITEM = /^[ \t]*-[ \t]+(.*)$/;
const BLOCK = /^[|>][-+\d]*$/;

/** Values are strings or lists of strings. Of two fields with the same name, the first counts. */
export function readFieldsByLine(header: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  const lines = header.split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    const [, key, first = ''] = FIELD.exec(lines[index] ?? '') ?? [];
    if (key === undefined) continue;
    const start = index + 1;
    while (index + 1 < lines.length && isContinuation(lines[index + 1] ?? '')) index++;
    if (!fields.has(key)) fields.set(key, fieldValue(first.trim(), lines.slice(start, index + 1)));
  }
  return Object.fromEntries(fields);
}

function isContinuation(line: string): boolean {
  return /^[ \t]+\S/.test(line) || ITEM.test(line);
}

function fieldValue(first: string, continued: readonly string[]): string | string[] {
  const items = continued.map((line) => ITEM.exec(line)?.[1]);
  if (first === '' && items.length > 0 && items.every((item) => item !== undefined))
    return items.map(unquote);
  if (/^\[.*\]$/.test(first)) {
    return first
      .slice(1, -1)
      .split(',')
      .map((item) => unquote(item.trim()))
      .filter((item) => item !== '');
  }
  const parts = [BLOCK.test(first) ? '' : first, ...continued.map((line) => line.trim())];
  return unquote(parts.join(' ').trim());
}

function unquote(value: string): string {
  const [, , quoted] = /^(["'])(.*?)\1(?:\s+#.*)?$/.exec(value) ?? [];
  return quoted ?? value.replace(/\s#.*$/, '').trimEnd();
}
