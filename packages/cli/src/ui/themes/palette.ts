/** Builds a theme from a few colours: used by the built-in themes and by old theme files. */
import type { Theme } from './theme.js';

export interface Palette {
  background: string;
  foreground: string;
  /** Secondary text. */
  gray: string;
  comment: string;
  border: string;
  input: string;
  blue: string;
  purple: string;
  cyan: string;
  green: string;
  yellow: string;
  orange: string;
  red: string;
  added: string;
  removed: string;
  focus?: string;
  link?: string;
  accent?: string;
  gradient?: readonly string[];
}

export function fromPalette(name: string, type: Theme['type'], palette: Palette): Theme {
  const focus = palette.focus ?? palette.blue;
  return {
    name,
    type,
    text: {
      primary: palette.foreground,
      secondary: palette.gray,
      link: palette.link ?? palette.blue,
      accent: palette.accent ?? palette.purple,
      response: palette.foreground,
    },
    background: {
      primary: palette.background,
      input: palette.input,
      diff: { added: palette.added, removed: palette.removed },
    },
    border: { default: palette.border, focused: focus },
    status: { success: palette.green, warning: palette.yellow, error: palette.red },
    ui: {
      comment: palette.comment,
      symbol: palette.gray,
      focus,
      gradient: palette.gradient ?? [palette.blue, palette.purple, palette.red],
    },
    syntax: syntaxOf(palette),
  };
}

/** highlight.js scopes; others look like plain text. */
function syntaxOf(palette: Palette): Record<string, string> {
  const { blue, purple, cyan, green, yellow, orange, red, comment } = palette;
  return {
    keyword: purple,
    doctag: purple,
    'selector-tag': purple,
    'template-tag': purple,
    string: green,
    char: green,
    addition: green,
    'meta string': green,
    regexp: orange,
    number: orange,
    literal: orange,
    symbol: orange,
    bullet: orange,
    title: blue,
    section: blue,
    name: blue,
    'selector-id': blue,
    type: cyan,
    built_in: cyan,
    class: cyan,
    'selector-class': cyan,
    attr: yellow,
    attribute: yellow,
    property: yellow,
    'selector-attr': yellow,
    'selector-pseudo': yellow,
    // Not red: on the lines of a diff it means removed.
    variable: purple,
    'template-variable': purple,
    tag: cyan,
    deletion: red,
    link: cyan,
    meta: comment,
    comment,
    quote: comment,
  };
}
