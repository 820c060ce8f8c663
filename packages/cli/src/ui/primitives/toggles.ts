/** A list of things that are on or off. */
import type { Look } from '../look.js';
import { wrapText } from '../text/columns.js';
import { entryWindow } from './entry-window.js';

export interface Toggle {
  label: string;
  detail?: string | undefined;
  isOn: boolean;
}

export function toggleLines(
  look: Look,
  toggles: readonly Toggle[],
  index: number,
  { width, rows }: { width: number; rows: number },
): string[] {
  const { paint, theme, screenReader } = look;
  const draw = (at: number) => {
    const { label, detail, isOn } = toggles[at] ?? { label: '', detail: undefined, isOn: false };
    const isChosen = at === index;
    const lead = screenReader ? '' : `${isChosen ? '●' : ' '} ${isOn ? '[x]' : '[ ]'} `;
    const said = screenReader ? `, ${isOn ? 'on' : 'off'}${isChosen ? ', selected' : ''}` : '';
    const color = isChosen ? theme.ui.focus : theme.text.primary;
    const indent = ' '.repeat(lead.length);
    const room = Math.max(1, width - lead.length);
    return [
      ...wrapText(label + said, room).map((row, line) =>
        paint((line === 0 ? lead : indent) + row, { color, bold: isChosen }),
      ),
      ...(detail
        ? wrapText(detail, room).map((row) => indent + paint(row, { color: theme.text.secondary }))
        : []),
    ];
  };
  return entryWindow(look, { count: toggles.length, draw }, index, rows);
}
