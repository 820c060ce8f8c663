/** Draws the model's answers and thoughts. */
import type { Look } from '../look.js';
import { markdownLines } from '../markdown/markdown.js';
import { cleanLine, cleanText } from '../text/clean.js';
import { narrower } from '../text/narrow.js';
import { paintSpans, span, wrapSpans } from '../text/spans.js';
import { stylesOf } from '../themes/styles.js';
import { hiddenNote } from './cut.js';

const MARK = '✦ ';

/** With a height, only the end is drawn, below a line that counts the hidden ones. */
export function modelLines(text: string, look: Look, isContinued = false, height?: number): string[] {
  if (look.screenReader) return screenReaderLines('Model: ', markdownLines(text, look), isContinued);
  const lines = markdownLines(text, narrower(look, MARK.length));
  const mark = look.paint(MARK, stylesOf(look.theme).accent);
  const hidden = height === undefined || lines.length <= height ? 0 : lines.length - Math.max(0, height - 1);
  const shown = hidden === 0 ? lines : lines.slice(hidden);
  const drawn = shown.map((line, index) => {
    if (index === 0 && hidden === 0 && !isContinued) return mark + line;
    return line === '' ? '' : `  ${line}`;
  });
  return hidden === 0 ? drawn : [hiddenNote(hidden, 'above', look), ...drawn];
}

/** Thoughts are shown only when the user has enabled them. */
export function thinkingLines(subject: string, text: string, look: Look): string[] {
  if (!look.showThinking) return [];
  const styles = stylesOf(look.theme);
  const inner = narrower(look, 2);
  const title = { ...styles.secondary, bold: true };
  const body = { ...styles.secondary, italic: true };
  const clean = cleanText(text).trim();
  const lines = [
    ...wrapSpans([span(cleanLine(subject), title)], inner.width),
    ...(clean === '' ? [] : wrapSpans([span(clean, body)], inner.width)),
  ].map((line) => paintSpans(line, look.paint));
  if (look.screenReader) return screenReaderLines('Thinking: ', lines, false);
  const bar = look.paint('│ ', styles.border);
  return lines.map((line) => bar + line);
}

function screenReaderLines(role: string, lines: readonly string[], isContinued: boolean): string[] {
  return isContinued ? [...lines] : [role + (lines[0] ?? ''), ...lines.slice(1)];
}
