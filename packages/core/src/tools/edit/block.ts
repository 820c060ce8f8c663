/** Blocks of whole lines: what the less literal strategies compare and replace. */
import type { TextEdit } from '../line-ends.js';

export interface Line {
  text: string;
  /** Offset of its first character. */
  start: number;
  /** Offset of its line end, or of the end of the text. */
  end: number;
}

export function linesOf(content: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= content.length; ) {
    const next = content.indexOf('\n', start);
    const end = next === -1 ? content.length : next;
    // A line end at the very end of the text starts no further line.
    if (start < content.length || lines.length === 0)
      lines.push({ text: content.slice(start, end), start, end });
    start = end + 1;
  }
  return lines;
}

/** The lines of a searched block, without the empty one that a final line end would make. */
export function blockLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Replaces `start`..`end` of the content, whole lines without the last line end, by `newText` moved to
 * the indentation `indent`. When the searched text ended with a line end, that is replaced too.
 */
export function blockEdit(
  content: string,
  { start, end, indent }: { start: number; end: number; indent: string },
  { oldText, newText }: { oldText: string; newText: string },
): TextEdit {
  const text = reindent(newText, indent);
  const takesLineEnd = oldText.endsWith('\n') && content[end] === '\n';
  if (takesLineEnd) {
    const complete = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    return { start, end: end + 1, text: complete };
  }
  return { start, end, text: oldText.endsWith('\n') ? text.replace(/\n$/, '') : text };
}

/** Moves a block so that its first line has the indentation `indent`; blank lines become empty. */
function reindent(block: string, indent: string): string {
  const lines = block.split('\n');
  const reference = indentOf(lines.find((line) => !looksBlank(line)) ?? '');
  return lines
    .map((line) => {
      if (looksBlank(line)) return '';
      const own = indentOf(line);
      const body = line.slice(own.length);
      if (own.startsWith(reference)) return indent + own.slice(reference.length) + body;
      return indent.slice(0, Math.max(0, indent.length - (reference.length - own.length))) + body;
    })
    .join('\n');
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

export function looksBlank(text: string): boolean {
  return text.trim() === '';
}
