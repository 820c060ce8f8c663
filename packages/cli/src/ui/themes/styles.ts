/** The styles that all drawing uses, one set per theme. The same object per use, because `Paint` caches by object. */
import type { Style } from './style.js';
import type { Theme } from './theme.js';

export interface Styles {
  primary: Style;
  secondary: Style;
  response: Style;
  accent: Style;
  accentBold: Style;
  link: Style;
  comment: Style;
  symbol: Style;
  success: Style;
  warning: Style;
  error: Style;
  border: Style;
  bold: Style;
  heading: readonly Style[];
  /** The user's own messages. */
  input: Style;
  inputMark: Style;
  syntax: Readonly<Record<string, Style>>;
}

const known = new WeakMap<Theme, Styles>();

export function stylesOf(theme: Theme): Styles {
  let styles = known.get(theme);
  if (!styles) {
    styles = makeStyles(theme);
    known.set(theme, styles);
  }
  return styles;
}

/** The second style wins. */
export function mergeStyles(base: Style, over: Style): Style {
  return { ...base, ...over };
}

function makeStyles({ text, background, border, status, ui, syntax }: Theme): Styles {
  const input = { ...ink(text.primary), ...(background.input ? { background: background.input } : {}) };
  return {
    primary: ink(text.primary),
    secondary: ink(text.secondary),
    response: ink(text.response || text.primary),
    accent: ink(text.accent),
    accentBold: { ...ink(text.accent), bold: true },
    link: { ...ink(text.link), underline: true },
    comment: ink(ui.comment),
    symbol: ink(ui.symbol),
    success: ink(status.success),
    warning: ink(status.warning),
    error: ink(status.error),
    border: ink(border.default),
    bold: { ...ink(text.primary), bold: true },
    heading: [
      { ...ink(text.accent), bold: true, underline: true },
      { ...ink(text.accent), bold: true },
      { ...ink(text.link), bold: true },
      { ...ink(text.primary), bold: true },
    ],
    input,
    inputMark: { ...input, ...ink(text.accent), bold: true },
    syntax: Object.fromEntries(Object.entries(syntax).map(([scope, color]) => [scope, ink(color)])),
  };
}

function ink(color: string): Style {
  return color ? { color } : {};
}
