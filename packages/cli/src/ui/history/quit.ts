/** Draws the goodbye: what the session did and how to resume it. */
import type { HistoryItemWithoutId } from '../../history/item.js';
import type { Look } from '../look.js';
import { cleanText } from '../text/clean.js';
import { narrower } from '../text/narrow.js';
import { span } from '../text/spans.js';
import { stylesOf } from '../themes/styles.js';
import { BOX_COLUMNS, boxed } from './box.js';
import { wrapLine } from './fields.js';
import { statsBody } from './stats.js';

const GOODBYE = 'Agent powering down. Goodbye!';

export function quitLines(item: Extract<HistoryItemWithoutId, { type: 'quit' }>, look: Look): string[] {
  const { accentBold, secondary, accent } = stylesOf(look.theme);
  const notesIn = (room: Look) =>
    (item.notes ?? []).flatMap((note) => wrapLine([span(cleanText(note), secondary)], room));
  if (!item.stats) return [...wrapLine([span(GOODBYE, accentBold)], look), ...notesIn(look)];
  const inner = narrower(look, BOX_COLUMNS);
  const resume =
    item.resume === undefined
      ? []
      : [
          '',
          ...wrapLine(
            [span('To resume this session: ', secondary), span(resumeCommand(item.resume), accent)],
            inner,
          ),
        ];
  const notes = notesIn(inner);
  return boxed(
    [...statsBody(GOODBYE, item.stats, inner), ...resume, ...(notes.length > 0 ? ['', ...notes] : [])],
    look,
  );
}

/** `resume` is the session id, or a whole command where more is needed. */
function resumeCommand(resume: string): string {
  const text = cleanText(resume);
  return text.includes(' ') ? text : `gemini --resume ${text}`;
}
