/** Arguments as JSON for patterns: keys sorted, top-level pairs between NUL characters. */

export function stableJson(args: Readonly<Record<string, unknown>>): string {
  const pairs = Object.keys(args)
    .sort()
    .flatMap((key) => {
      const value = textOf(args[key], [args]);
      return value === undefined ? [] : [`\0${JSON.stringify(key)}:${value}\0`];
    });
  return `{${pairs.join(',')}}`;
}

function textOf(value: unknown, ancestors: readonly object[]): string | undefined {
  if (value === null) return 'null';
  // JSON writes a NUL in a value as \u0000, so the anchors cannot be forged.
  if (typeof value !== 'object') return JSON.stringify(value);
  if (ancestors.includes(value)) return '"[Circular]"';
  const inner = [...ancestors, value];
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, inner) ?? 'null').join(',')}]`;
  const pairs = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const text = textOf((value as Record<string, unknown>)[key], inner);
      return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
    });
  return `{${pairs.join(',')}}`;
}
