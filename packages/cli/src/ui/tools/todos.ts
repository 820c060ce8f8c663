/** A list of todos. */
import type { Todo } from '@gemini-cli/core';
import type { Look } from '../look.js';
import { cleanLine } from '../text/clean.js';
import { paintSpans, span, wrapSpans } from '../text/spans.js';
import { textWidth } from '../text/width.js';
import type { Style } from '../themes/style.js';
import { type Styles, stylesOf } from '../themes/styles.js';

type Status = Todo['status'];

const SYMBOLS: Record<Status, string> = {
  completed: '✓',
  in_progress: '»',
  pending: '☐',
  cancelled: '✗',
  blocked: '⛔',
};
const WORDS: Record<Status, string> = {
  completed: 'completed',
  in_progress: 'in progress',
  pending: 'pending',
  cancelled: 'cancelled',
  blocked: 'blocked',
};

/** Cancelled ones count neither as done nor as to do. */
export function todoCount(todos: readonly Todo[]): { done: number; total: number } {
  const counted = todos.filter(({ status }) => status !== 'cancelled');
  return { done: counted.filter(({ status }) => status === 'completed').length, total: counted.length };
}

export function todoLines(todos: readonly Todo[], look: Look): string[] {
  return todos.flatMap((todo) => {
    const text = cleanLine(todo.description);
    if (look.screenReader)
      return wrapSpans([span(`${WORDS[todo.status]}: ${text}`)], look.width).map((row) =>
        paintSpans(row, look.paint),
      );
    const { symbol, body } = stylesFor(todo.status, stylesOf(look.theme));
    const sign = SYMBOLS[todo.status];
    const lead = textWidth(sign) + 1;
    return wrapSpans([span(text, body)], Math.max(1, look.width - lead)).map((row, index) => {
      const start = index === 0 ? `${look.paint(sign, symbol)} ` : ' '.repeat(lead);
      return start + paintSpans(row, look.paint);
    });
  });
}

function stylesFor(status: Status, styles: Styles): { symbol: Style; body: Style } {
  switch (status) {
    case 'completed':
      return { symbol: styles.success, body: styles.secondary };
    case 'in_progress':
      return { symbol: styles.accent, body: styles.accentBold };
    case 'cancelled':
      return { symbol: styles.error, body: { ...styles.secondary, strike: true } };
    case 'blocked':
      return { symbol: styles.warning, body: styles.warning };
    default:
      return { symbol: styles.secondary, body: styles.primary };
  }
}
