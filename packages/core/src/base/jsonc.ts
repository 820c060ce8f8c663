/** JSON with comments and trailing commas, as users write it. Mistakes are named by line and column. */

export class JsoncError extends Error {
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message);
    this.name = 'JsoncError';
  }
}

export function parseJsonc(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    // Either it has comments, or we have to say where it is wrong.
    return new Reader(source).document();
  }
}

const DEEPEST = 500;

class Reader {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  document(): unknown {
    const value = this.value();
    this.skipBlank();
    if (this.at < this.text.length) this.fail('Unexpected text after the end');
    return value;
  }

  private value(): unknown {
    this.skipBlank();
    const char = this.text[this.at];
    if (char === '{' || char === '[') {
      if (++this.depth > DEEPEST) this.fail('Nested too deeply');
      const value = char === '{' ? this.object() : this.array();
      this.depth--;
      return value;
    }
    if (char === '"') return this.string();
    return this.literal();
  }

  private object(): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    this.at++;
    while (this.next('}')) {
      if (this.text[this.at] !== '"') this.fail('Expected a property name in double quotes');
      const key = this.string();
      this.skipBlank();
      if (this.text[this.at] !== ':') this.fail(`Expected ":" after "${key}"`);
      this.at++;
      entries.push([key, this.value()]);
      this.separator('}');
    }
    // Not by assignment: a key "__proto__" must stay a plain key.
    return Object.fromEntries(entries);
  }

  private array(): unknown[] {
    const items: unknown[] = [];
    this.at++;
    while (this.next(']')) {
      items.push(this.value());
      this.separator(']');
    }
    return items;
  }

  /** True when another item follows; the closing bracket is consumed. */
  private next(close: string): boolean {
    this.skipBlank();
    if (this.at >= this.text.length) this.fail(`Expected "${close}" before the end of the file`);
    if (this.text[this.at] !== close) return true;
    this.at++;
    return false;
  }

  private separator(close: string): void {
    this.skipBlank();
    if (this.text[this.at] === ',') this.at++;
    else if (this.text[this.at] !== close && this.at < this.text.length)
      this.fail(`Expected "," or "${close}"`);
  }

  private string(): string {
    const pattern = /"(?:[^"\\\n]|\\.)*"/y;
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) this.fail('This text has no closing quote');
    try {
      const value: string = JSON.parse(match[0]);
      this.at = pattern.lastIndex;
      return value;
    } catch {
      this.fail('This text has a bad escape or control character');
    }
  }

  private literal(): unknown {
    const pattern = /[^\s,{}[\]":/]+/y;
    pattern.lastIndex = this.at;
    const word = pattern.exec(this.text)?.[0] ?? '';
    try {
      const value: unknown = JSON.parse(word);
      this.at += word.length;
      return value;
    } catch {
      this.fail(word ? `"${word}" is no JSON value` : 'Expected a value');
    }
  }

  private skipBlank(): void {
    const pattern = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
    pattern.lastIndex = this.at;
    pattern.exec(this.text);
    this.at = pattern.lastIndex;
  }

  private fail(message: string): never {
    const before = this.text.slice(0, this.at).split('\n');
    throw new JsoncError(message, before.length, (before.at(-1)?.length ?? 0) + 1);
  }
}
