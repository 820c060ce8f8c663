/** Finds the expansions in a word as written, and whether the shell splits their values. */

export interface Expansion {
  kind: 'variable' | 'command' | 'number' | 'parameters';
  /** The variable's name, or the command inside. */
  text: string;
  /** Unquoted, or one that becomes several words even in quotes. */
  isSplit: boolean;
  /** Only quotes come before it. */
  isFirst: boolean;
  /** It completes the name of an option: `--e$x`. */
  isInName: boolean;
  /** A dash follows: if the value is empty, the dash begins the word. */
  isBeforeDash: boolean;
  /** It is the whole word, apart from quotes. */
  isWhole: boolean;
  /** `${x:-main}`: options in the default value are found as written. */
  hasDefault: boolean;
}

export function expansionsIn(source: string): Expansion[] {
  const found: Expansion[] = [];
  let quoted = false;
  let before = '';
  for (let at = 0; at < source.length; ) {
    const character = source.charAt(at);
    if (character === '\\') {
      before += source.charAt(at + 1);
      at += 2;
    } else if (character === '"') {
      quoted = !quoted;
      at++;
    } else if (character === "'" && !quoted) {
      const end = source.indexOf("'", at + 1);
      before += source.slice(at + 1, end < 0 ? source.length : end);
      at = end < 0 ? source.length : end + 1;
    } else if (character === '`' || (character === '$' && /[\w({@*#?$!-]/.test(source.charAt(at + 1)))) {
      const end = endOf(source, at);
      const isWhole = before === '' && /^"?$/.test(source.slice(end));
      found.push({
        ...read(source.slice(at, end), quoted),
        isFirst: before === '',
        isInName: /^-[^=]*$/.test(before),
        isBeforeDash: /^["']*-/.test(source.slice(end)),
        isWhole,
      });
      // Not added to `before`, since its value may be empty.
      at = end;
    } else {
      before += character;
      at++;
    }
  }
  return found;
}

function read(text: string, quoted: boolean): Pick<Expansion, 'kind' | 'text' | 'isSplit' | 'hasDefault'> {
  const common = { isSplit: !quoted, hasDefault: false };
  if (text.startsWith('$((')) return { ...common, kind: 'number', text };
  if (text.startsWith('$(')) return { ...common, kind: 'command', text: text.slice(2, -1) };
  if (text.startsWith('`')) return { ...common, kind: 'command', text: text.slice(1, -1) };
  if (/^\$(?:[#?$!]|\{#\w+\})/.test(text)) return { ...common, kind: 'number', text };
  const variable = /^\$\{?([A-Za-z_]\w*)(:?[-=+][^$`]*)?\}?$/.exec(text);
  if (variable)
    return { ...common, kind: 'variable', text: variable[1] ?? '', hasDefault: variable[2] !== undefined };
  return { ...common, kind: 'parameters', text, isSplit: !quoted || /[@*]/.test(text) };
}

function endOf(source: string, start: number): number {
  const next = source.charAt(start + 1);
  if (source.charAt(start) === '`') {
    const end = source.indexOf('`', start + 1);
    return end < 0 ? source.length : end + 1;
  }
  if (next !== '(' && next !== '{')
    return start + (/^\$(?:[A-Za-z_]\w*|.)/.exec(source.slice(start))?.[0].length ?? 1);
  const close = next === '(' ? ')' : '}';
  let depth = 0;
  for (let at = start + 1; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === '\\') at++;
    else if (character === next) depth++;
    else if (character === close && --depth === 0) return at + 1;
  }
  return source.length;
}
