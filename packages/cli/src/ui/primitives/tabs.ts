/** A row of tabs, the current one marked. */
import type { Look } from '../look.js';
import { cutText, widthOf } from '../text/columns.js';

export interface Tab {
  label: string;
  /** Something has been answered there. */
  done?: boolean;
}

export function tabLine(look: Look, tabs: readonly Tab[], index: number, width: number): string {
  const { paint, theme, screenReader } = look;
  if (screenReader) {
    const current = tabs[index];
    return cutText(`Tab ${index + 1} of ${tabs.length}: ${current?.label ?? ''}`, width);
  }
  const labels = tabs.map(({ label, done }, at) => {
    const mark = done ? '✓ ' : '';
    return at === index ? `[${mark}${label}]` : ` ${mark}${label} `;
  });
  // Too narrow for all: the current one and its number.
  if (widthOf(labels.join(' ')) > width) {
    return cutText(`[${tabs[index]?.label ?? ''}] ${index + 1}/${tabs.length}`, width);
  }
  return labels
    .map((label, at) =>
      paint(label, at === index ? { color: theme.ui.focus, bold: true } : { color: theme.text.secondary }),
    )
    .join(' ');
}
