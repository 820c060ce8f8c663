/** Replaces a value, adds or removes a property or item in a JSON text with comments. The rest of the text is kept. */
import type { JsoncNode, JsoncProperty } from '../../base/jsonc.js';

export function replaceValue(text: string, node: JsoncNode, value: unknown): string {
  const written = stringify(value, styleOf(text), indentAt(text, node.offset));
  return splice(text, node.offset, node.offset + node.length, written);
}

/** Added after the last property of the object. */
export function addProperty(text: string, object: JsoncNode, key: string, value: unknown): string {
  return addMember(text, object, object.properties?.at(-1), (style, indent) =>
    style === 'inline' ? `${JSON.stringify(key)}: ${inline(value)}` : property(key, value, style, indent),
  );
}

/** Added after the last item of the array. */
export function addItem(text: string, array: JsoncNode, value: unknown): string {
  return addMember(text, array, array.items?.at(-1), (style, indent) =>
    style === 'inline' ? inline(value) : stringify(value, style, indent),
  );
}

/** @param write the text of the member, for a container on one line or on several */
function addMember(
  text: string,
  container: JsoncNode,
  last: Pick<JsoncNode, 'offset' | 'length'> | undefined,
  write: (style: Style | 'inline', indent: string) => string,
): string {
  const style = styleOf(text);
  const close = container.offset + container.length - 1;
  const base = indentAt(text, container.offset);
  if (!last) {
    const indent = base + style.unit;
    const inner = text.slice(container.offset + 1, close).trimEnd();
    const line = style.eol + indent + write(style, indent);
    return splice(text, container.offset + 1, close, inner + line + style.eol + base);
  }
  const end = last.offset + last.length;
  if (!text.slice(container.offset, close).includes('\n')) {
    return splice(text, end, end, `, ${write('inline', '')}`);
  }
  const indent = startsLine(text, last.offset) ? indentAt(text, last.offset) : base + style.unit;
  const written = indent + write(style, indent);
  // Text on the same line, such as a comment, belongs to the member before.
  const rest = REST_OF_LINE.exec(text.slice(end, close));
  if (!rest) return splice(text, end, end, `,${style.eol}${written}`);
  const hasComma = commaIn(rest[0]) >= 0;
  const line = `${written}${hasComma ? ',' : ''}${style.eol}`;
  const lineEnd = end + rest[0].length;
  return splice(splice(text, lineEnd, lineEnd, line), end, end, hasComma ? '' : ',');
}

/** Keeps all comments, also those beside the property. */
export function removeProperty(text: string, object: JsoncNode, target: JsoncProperty): string {
  const siblings = object.properties ?? [];
  const before = siblings[siblings.indexOf(target) - 1];
  const end = target.offset + target.length;
  const close = object.offset + object.length - 1;
  const nextStart = siblings[siblings.indexOf(target) + 1]?.offset ?? close;
  const comma = commaIn(text.slice(end, nextStart));
  if (comma >= 0) {
    const withoutComma = splice(text, end + comma, end + comma + 1, '');
    return removeSpan(withoutComma, target.offset, end);
  }
  const removed = removeSpan(text, target.offset, end);
  if (!before) return removed;
  // The last property was removed: the one before it needs no comma now.
  const beforeEnd = before.offset + before.length;
  const at = commaIn(text.slice(beforeEnd, target.offset));
  return at < 0 ? removed : splice(removed, beforeEnd + at, beforeEnd + at + 1, '');
}

/** Removes the whole line if nothing else is on it. */
function removeSpan(text: string, start: number, end: number): string {
  const blankAfter = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  const rest = /^(?:\r?\n|$)/.exec(text.slice(end + blankAfter));
  if (!startsLine(text, start)) {
    const blankBefore = /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
    return rest ? splice(text, start - blankBefore, end, '') : splice(text, start, end + blankAfter, '');
  }
  if (!rest) return splice(text, start, end + blankAfter, '');
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  return splice(text, lineStart, end + blankAfter + rest[0].length, '');
}

const REST_OF_LINE = /^(?:[ \t,]|\/\*[^\n]*?\*\/)*(?:\/\/[^\n]*)?\n/;

/** Offset of the comma between two properties; -1 if there is none. */
function commaIn(gap: string): number {
  for (const match of gap.matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|,/g)) {
    if (match[0] === ',') return match.index;
  }
  return -1;
}

interface Style {
  /** One level of indentation. */
  unit: string;
  eol: string;
}

function styleOf(text: string): Style {
  return { unit: /\n([ \t]+)"/.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function property(key: string, value: unknown, style: Style, indent: string): string {
  return `${JSON.stringify(key)}: ${stringify(value, style, indent)}`;
}

function stringify(value: unknown, { unit, eol }: Style, indent: string): string {
  return JSON.stringify(value, null, unit).split('\n').join(`${eol}${indent}`);
}

function inline(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
}

/** The blanks at the start of the line. */
export function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
