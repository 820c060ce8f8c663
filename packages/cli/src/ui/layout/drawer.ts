/** The rows between history and status: notices, queued messages, todos, shortcuts, the toast. */
import type { Todo } from '@gemini-cli/core';
import type { Look } from '../look.js';
import type { UiState } from '../store/state.js';
import { cleanLine } from '../text/clean.js';
import { fitSpans, paintSpans, type Span, span, wrapSpans } from '../text/spans.js';
import type { Style } from '../themes/style.js';
import { todoCount } from '../tools/todos.js';
import { openFileLines } from './open-files.js';
import { shortcutLines } from './shortcuts.js';

const QUEUE_ROWS = 3;
const NOTICE_ROWS = 4;

const SYMBOLS: Readonly<Record<Todo['status'], string>> = {
  completed: '✓',
  in_progress: '»',
  pending: '☐',
  cancelled: '✗',
  blocked: '⛔',
};
const WORDS: Readonly<Record<Todo['status'], string>> = {
  completed: 'done:',
  in_progress: 'in progress:',
  pending: 'to do:',
  cancelled: 'cancelled:',
  blocked: 'blocked:',
};

export function drawerLines(state: UiState, look: Look): string[] {
  return [
    ...noticeLines(state, look),
    ...queueLines(state, look),
    ...(state.isMinimal ? [] : todoLines(state, look)),
    ...(state.showShortcuts ? shortcutLines(look) : []),
    ...(state.showOpenFiles ? openFileLines(state, look) : []),
    ...toastLines(state, look),
  ];
}

function noticeLines({ notices }: UiState, look: Look): string[] {
  const style: Style = { color: look.theme.status.warning };
  const lines = notices
    .flatMap((text) => text.split('\n').map((line, index) => ({ line, isFirst: index === 0 })))
    .flatMap(({ line, isFirst }) => {
      const mark = isFirst ? (look.screenReader ? 'Notice: ' : '⚠ ') : '  ';
      return wrapSpans([span(mark, style), span(cleanLine(line), style)], look.width);
    })
    .map((spans) => paintSpans(spans, look.paint));
  // A line about one hidden line would take its place.
  if (lines.length <= NOTICE_ROWS + 1 || look.expanded) return lines;
  const hidden = lines.length - NOTICE_ROWS;
  return [
    ...lines.slice(0, NOTICE_ROWS),
    look.paint(`  … ${hidden} more lines (ctrl+o)`, { color: look.theme.text.secondary }),
  ];
}

function queueLines({ queue }: UiState, look: Look): string[] {
  if (queue.length === 0) return [];
  const dim: Style = { color: look.theme.text.secondary };
  const shown = queue
    .slice(0, QUEUE_ROWS)
    .map((text) => oneLine([span('  queued: ', dim), span(cleanLine(text), { ...dim, italic: true })], look));
  const rest = queue.length - QUEUE_ROWS;
  return rest > 0 ? [...shown, oneLine([span(`  … and ${rest} more`, dim)], look)] : shown;
}

function todoLines({ todos, showTodos }: UiState, look: Look): string[] {
  const open = todos.filter(({ status }) => status !== 'completed' && status !== 'cancelled');
  if (open.length === 0) return [];
  const dim: Style = { color: look.theme.text.secondary };
  const { done, total } = todoCount(todos);
  const current = todos.find(({ status }) => status === 'in_progress');
  const head = [
    span(' Todo ', { color: look.theme.text.accent, bold: true }),
    span(`${done}/${total} completed`, dim),
    ...(current && !showTodos ? [span('  »  ', dim), span(cleanLine(current.description))] : []),
    span(showTodos ? '  (ctrl+t to fold)' : '  (ctrl+t to show)', dim),
  ];
  return [
    oneLine(head, look),
    ...(showTodos ? todos.map((todo) => oneLine(todoSpans(todo, look), look)) : []),
  ];
}

function todoSpans({ status, description }: Todo, { theme, screenReader }: Look): Span[] {
  const isOver = status === 'completed' || status === 'cancelled';
  const color = isOver
    ? theme.text.secondary
    : status === 'in_progress'
      ? theme.text.accent
      : theme.text.primary;
  const mark = screenReader ? WORDS[status] : SYMBOLS[status];
  return [
    span(`   ${mark} `, { color }),
    span(cleanLine(description), { color, strike: status === 'cancelled' }),
  ];
}

function toastLines({ toast }: UiState, look: Look): string[] {
  if (!toast) return [];
  const { status, text } = look.theme;
  const color = { info: text.secondary, warning: status.warning, error: status.error }[toast.tone];
  return [oneLine([span(` ${cleanLine(toast.text)}`, { color })], look)];
}

function oneLine(spans: Span[], look: Look): string {
  return paintSpans(fitSpans(spans, look.width), look.paint);
}
