/** The list of settings as lines: `label … value`, and what the chosen one means. */
import type { Look } from '../../look.js';
import { entryWindow } from '../../primitives/entry-window.js';
import { cutText, widthOf, wrapText } from '../../text/columns.js';
import type { DialogSetting, Scope, ShownSetting } from './values.js';

export interface SettingRow {
  entry: DialogSetting;
  shown: ShownSetting;
}

export interface ListBox {
  index: number;
  width: number;
  rows: number;
  isFocused: boolean;
}

const SCOPE_NAMES: Readonly<Record<Scope, string>> = {
  user: 'User',
  workspace: 'Workspace',
  system: 'System',
};

export function settingLines(look: Look, rows: readonly SettingRow[], box: ListBox): string[] {
  const { index, width, rows: room } = box;
  const chosen = rows[index];
  const about = chosen && room > ABOUT_FROM ? aboutLines(look, chosen, width) : [];
  const draw = (at: number) => {
    const row = rows[at];
    return row ? [rowLine(look, row, at === index && box.isFocused, width)] : [];
  };
  const list = entryWindow(look, { count: rows.length, draw }, index, Math.max(1, room - about.length));
  return [...list, ...about];
}

const ABOUT_FROM = 4;

function rowLine(look: Look, { entry, shown }: SettingRow, isChosen: boolean, width: number): string {
  const { paint, theme, screenReader } = look;
  const where = shown.elsewhere.map((scope) => SCOPE_NAMES[scope]).join(', ');
  const value = `${shown.text || '(not set)'}${shown.isSetHere ? '*' : ''}${where ? ` (set in ${where})` : ''}`;
  const color = isChosen ? theme.ui.focus : theme.text.primary;
  if (screenReader) {
    const here = shown.isSetHere ? ', set here' : '';
    return cutText(
      `${entry.label}: ${shown.text || 'not set'}${here}${where ? `, set in ${where}` : ''}${isChosen ? ', selected' : ''}`,
      width,
    );
  }
  const lead = isChosen ? '● ' : '  ';
  const short = cutText(value, Math.max(6, Math.floor(width / 2)));
  const label = cutText(entry.label, Math.max(1, width - 4 - widthOf(short)));
  const dots = '.'.repeat(Math.max(1, width - 4 - widthOf(label) - widthOf(short)));
  return (
    paint(`${lead}${label}`, { color, bold: isChosen }) +
    paint(` ${dots} `, { color: theme.ui.comment }) +
    paint(short, { color: shown.isSetHere ? theme.text.accent : theme.text.secondary })
  );
}

function aboutLines({ paint, theme }: Look, { entry }: SettingRow, width: number): string[] {
  const restart = entry.needsRestart ? ' Takes effect with a restart.' : '';
  const text = wrapText(`${entry.key}: ${entry.description}${restart}`, width).slice(0, 3);
  return text.map((row) => paint(row, { color: theme.text.secondary }));
}
