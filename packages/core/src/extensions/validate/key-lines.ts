/** The line of a key in a JSON file, by its written form: `mcpServers.github.args[0]`. */
import { placeOf, visitJsonc } from '../../base/jsonc.js';
import { tryReadText } from '../../platform/files/try-read.js';

/** An unknown key gets the line of its nearest parent. */
export function keyLines(file: string): (key: string) => number | undefined {
  const text = (tryReadText(file) ?? '').replace(/^\ufeff/, '');
  const lines = new Map<string, number>();
  visitJsonc(text, (path, offset) => {
    const key = path.reduce<string>(
      (before, part) =>
        typeof part === 'number' ? `${before}[${part}]` : before ? `${before}.${part}` : part,
      '',
    );
    lines.set(key, placeOf(text, offset).line);
  });
  return (key) => {
    for (let at = key; at !== ''; at = at.replace(/(?:\.?[^.[\]]*|\[\d*\])$/, '')) {
      const line = lines.get(at);
      if (line !== undefined) return line;
      if (!/[.[]/.test(at)) return undefined;
    }
    return undefined;
  };
}
