/** A theme in Ink's colour names, limited to what the terminal can show. */
import type { ColorDepth } from '../../terminal/color-depth.js';
import { inkColor } from './color.js';
import type { Theme } from './theme.js';

export function inkTheme(theme: Theme, depth: ColorDepth): Theme {
  const { text, background, border, status, ui } = theme;
  const front = (color: string) => inkColor(color, depth);
  const back = (color: string) => inkColor(color, depth, true);
  return {
    ...theme,
    text: {
      primary: front(text.primary),
      secondary: front(text.secondary),
      link: front(text.link),
      accent: front(text.accent),
      response: front(text.response),
    },
    background: {
      primary: back(background.primary),
      input: back(background.input),
      diff: { added: back(background.diff.added), removed: back(background.diff.removed) },
    },
    border: { default: front(border.default), focused: front(border.focused) },
    status: {
      success: front(status.success),
      warning: front(status.warning),
      error: front(status.error),
    },
    ui: {
      comment: front(ui.comment),
      symbol: front(ui.symbol),
      focus: front(ui.focus),
      gradient: ui.gradient.map(front),
    },
    syntax: Object.fromEntries(Object.entries(theme.syntax).map(([scope, color]) => [scope, front(color)])),
  };
}
