/** The keys that `?` shows. */
import { keysOf } from '../keys/bindings.js';
import { COMMANDS, type CommandId } from '../keys/commands.js';
import type { Look } from '../look.js';
import { fitSpans, paintSpans, span } from '../text/spans.js';
import { textWidth } from '../text/width.js';

export const SHORTCUTS: readonly CommandId[] = [
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

/** Keys and what they do, in two columns if they fit. */
export function shortcutLines(look: Look): string[] {
  const { theme, paint, width } = look;
  const fixed = [
    ['!', 'shell mode'],
    ['@', 'attach a file'],
    ['/', 'commands'],
    ['Esc Esc', 'clear, or rewind'],
  ] as const;
  const rows = [
    ...fixed,
    ...SHORTCUTS.flatMap((id) => {
      const [first] = keysOf(id);
      return first ? [[first, COMMANDS[id].description] as const] : [];
    }),
  ];
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
