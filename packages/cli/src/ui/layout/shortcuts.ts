/** The keys that `?` shows. */
import { keysOf } from '../keys/bindings.js';
import { COMMANDS, type CommandId } from '../keys/commands.js';
import type { Look } from '../look.js';
import { fitSpans, paintSpans, span } from '../text/spans.js';
import { textWidth } from '../text/width.js';

const SHORTCUTS: readonly CommandId[] = [
  'input.newline',
  'history.search.start',
  'app.cycleApprovalMode',
  'app.toggleYolo',
  'input.openExternalEditor',
  'input.paste',
  'app.showMoreLines',
  'app.showFullTodos',
  'app.toggleMarkdown',
  'background.toggle',
  'edit.undo',
  'basic.quit',
];

/** Where many terminals cannot send the first key of the table. */
const SURE_KEYS: Partial<Record<CommandId, string>> = { 'input.newline': 'Ctrl+J' };

/** One key for each, and what it does. */
export function shortcuts(): (readonly [key: string, action: string])[] {
  return SHORTCUTS.flatMap((id) => {
    const keys = keysOf(id);
    const key = keys.find((one) => one === SURE_KEYS[id]) ?? keys[0];
    return key ? [[key, COMMANDS[id].description] as const] : [];
  });
}

/** Keys and what they do, in two columns if they fit. */
export function shortcutLines(look: Look): string[] {
  const { theme, paint, width } = look;
  const fixed = [
    ['!', 'Shell mode'],
    ['@', 'Attach a file'],
    ['/', 'Commands'],
    ['Esc Esc', 'Clear, or rewind'],
  ] as const;
  const rows = [...fixed, ...shortcuts()];
  const keyWidth = Math.max(...rows.map(([keys]) => textWidth(keys)));
  const columns = width >= 72 ? 2 : 1;
  const columnWidth = Math.floor(width / columns);
  const cells = rows.map(([keys, action]) => [
    span(` ${keys.padEnd(keyWidth)}  `, { color: theme.text.accent }),
    span(action, { color: theme.text.secondary }),
  ]);
  const lines: string[] = [];
  for (let index = 0; index < cells.length; index += columns) {
    const row = cells
      .slice(index, index + columns)
      .flatMap((cell, at) =>
        at < columns - 1 ? fitSpans(cell, columnWidth, {}) : fitSpans(cell, columnWidth),
      );
    lines.push(paintSpans(row, paint));
  }
  return lines;
}
