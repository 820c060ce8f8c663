/**
 * Parses JSON with comments and trailing commas. Errors have line and column.
 *
 * Every start reads settings, so this parser is in the first chunk of the engine: 3 kB, where the package
 * `jsonc-parser` takes 11. Writing uses the same parser, so that both agree on the content of a file.
 */
import { UserError } from './errors.js';

export class JsoncError extends UserError {
  override readonly name = 'JsoncError';
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message);
  }
}

export function parseJsonc(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    // It has comments, or we need the place of the error.
    return parseJsoncTree(source).value;
  }
}

/** A value with its position in the text. */
export interface JsoncNode {
  offset: number;
  length: number;
  value: unknown;
  /** Properties of an object, in the order of the text. */
  properties?: JsoncProperty[];
  /** Items of an array. */
  items?: JsoncNode[];
}

export interface JsoncProperty {
  key: string;
  /** From the key to the end of the value. */
  offset: number;
  length: number;
  node: JsoncNode;
}

export function parseJsoncTree(source: string): JsoncNode {
  return new JsoncParser(source).document();
}

/** Called for each key and item with its offset, in the order of the text. */
export type JsoncVisitor = (path: readonly (string | number)[], offset: number) => void;

/** Stops silently at a syntax error, after visiting what comes before it. */
export function visitJsonc(source: string, visit: JsoncVisitor): void {
  try {
    new JsoncParser(source, visit).document();
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
  }
}

/** Line and column of an offset, starting at 1. */
export function placeOf(source: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let end = source.indexOf('\n'); end >= 0 && end < offset; end = source.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

const DEEPEST = 500;

class JsoncParser {
  private at = 0;
  private depth = 0;
  private readonly path: (string | number)[] = [];

  constructor(
    private readonly text: string,
    private readonly visit?: JsoncVisitor,
  ) {
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  document(): JsoncNode {
    const node = this.node();
    this.skipBlank();
    if (this.at < this.text.length) this.fail('Unexpected text after the end');
    return node;
  }

  private node(): JsoncNode {
    this.skipBlank();
    const offset = this.at;
    const content = this.content();
    return { offset, length: this.at - offset, ...content };
  }

  private content(): Pick<JsoncNode, 'value' | 'properties' | 'items'> {
    const char = this.text[this.at];
    if (char === '{' || char === '[') {
      if (++this.depth > DEEPEST) this.fail('Nested too deeply');
      const content = char === '{' ? this.object() : this.array();
      this.depth--;
      return content;
    }
    return { value: char === '"' ? this.string() : this.literal() };
  }

  private object(): Pick<JsoncNode, 'value' | 'properties'> {
    const properties: JsoncProperty[] = [];
    this.at++;
    while (this.next('}')) {
      if (this.text[this.at] !== '"') this.fail('Expected a property name in double quotes');
      const start = this.at;
      const key = this.string();
      this.skipBlank();
      if (this.text[this.at] !== ':') this.fail(`Expected ":" after "${key}"`);
      this.at++;
      const node = this.member(key, start);
      properties.push({ key, offset: start, length: this.at - start, node });
      this.separator('}');
    }
    // Not by assignment, so that "__proto__" is an ordinary key.
    return { value: Object.fromEntries(properties.map(({ key, node }) => [key, node.value])), properties };
  }

  private array(): Pick<JsoncNode, 'value' | 'items'> {
    const items: JsoncNode[] = [];
    this.at++;
    while (this.next(']')) {
      items.push(this.member(items.length, this.at));
      this.separator(']');
    }
    return { value: items.map(({ value }) => value), items };
  }

  private member(key: string | number, start: number): JsoncNode {
    if (!this.visit) return this.node();
    this.path.push(key);
    this.visit(this.path, start);
    const node = this.node();
    this.path.pop();
    return node;
  }

  /** True when another item follows; otherwise consumes the closing bracket. */
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
      this.fail(word ? `"${word}" is not a JSON value` : 'Expected a value');
    }
  }

  private skipBlank(): void {
    const pattern = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
    pattern.lastIndex = this.at;
    pattern.exec(this.text);
    this.at = pattern.lastIndex;
  }

  private fail(message: string): never {
    const { line, column } = placeOf(this.text, this.at);
    throw new JsoncError(message, line, column);
  }
}
