/** Reads themes from settings, files and extensions. Wrong values are reported and replaced with defaults. */
import { isObject } from '@gemini-cli/core';
import { DEFAULT_DARK, DEFAULT_LIGHT } from './builtin/default.js';
import { luminance, normalizeColor, parseColor, rgbOf } from './color.js';
import { fromPalette, type Palette } from './palette.js';
import type { Theme } from './theme.js';

export interface CustomTheme {
  theme: Theme;
  /** One line per problem, with the key and its replacement. */
  warnings: string[];
}

type Data = Readonly<Record<string, unknown>>;

/** Never fails: at worst it returns the default theme under the given name. */
export function readCustomTheme(name: string, data: unknown): CustomTheme {
  const reader = new Reader(name);
  if (!isObject(data)) {
    reader.warnings.push(`Theme "${name}": it must be an object with colours; the default theme is used.`);
    return { theme: { ...DEFAULT_DARK, name }, warnings: reader.warnings };
  }
  const background = reader.peek(data, 'background', 'primary') ?? reader.peek(data, 'Background');
  const base = isLight(background) ? DEFAULT_LIGHT : DEFAULT_DARK;
  return { theme: reader.apply(data, reader.applyFlat(data, { ...base, name })), warnings: reader.warnings };
}

/** Old theme files name colours, not their uses. */
const FLAT: Readonly<Record<string, keyof Palette>> = {
  Background: 'background',
  Foreground: 'foreground',
  AccentBlue: 'blue',
  AccentPurple: 'purple',
  AccentCyan: 'cyan',
  AccentGreen: 'green',
  AccentYellow: 'yellow',
  AccentRed: 'red',
  DiffAdded: 'added',
  DiffRemoved: 'removed',
  Comment: 'comment',
  Gray: 'gray',
  DarkGray: 'border',
  LightBlue: 'link',
};

class Reader {
  readonly warnings: string[] = [];
  constructor(readonly name: string) {}

  /** Reads a string without a warning. */
  peek(data: Data, ...path: string[]): string | undefined {
    let value: unknown = data;
    for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    return typeof value === 'string' ? value : undefined;
  }

  applyFlat(data: Data, base: Theme): Theme {
    const palette: Palette = paletteOf(base);
    let isFlat = false;
    for (const [key, target] of Object.entries(FLAT)) {
      const color = this.#color(data, [key]);
      if (color === undefined) continue;
      isFlat = true;
      if (target !== 'gradient') palette[target] = color;
    }
    const gradient = this.#gradient(data, ['GradientColors']);
    if (gradient) palette.gradient = gradient;
    if (!isFlat && !gradient) return base;
    return fromPalette(base.name, base.type, palette);
  }

  apply(data: Data, base: Theme): Theme {
    const color = (path: string[], fallback: string) => this.#color(data, path) ?? fallback;
    const focused = this.#color(data, ['border', 'focused']) ?? this.#color(data, ['ui', 'focus']);
    const primary = color(['text', 'primary'], base.text.primary);
    return {
      ...base,
      text: {
        primary,
        secondary: color(['text', 'secondary'], base.text.secondary),
        link: color(['text', 'link'], base.text.link),
        accent: color(['text', 'accent'], base.text.accent),
        response: color(['text', 'response'], primary || base.text.response),
      },
      background: {
        primary: color(['background', 'primary'], base.background.primary),
        input: color(['background', 'input'], base.background.input),
        diff: {
          added: color(['background', 'diff', 'added'], base.background.diff.added),
          removed: color(['background', 'diff', 'removed'], base.background.diff.removed),
        },
      },
      border: {
        default: color(['border', 'default'], base.border.default),
        focused: focused ?? base.border.focused,
      },
      status: {
        success: color(['status', 'success'], base.status.success),
        warning: color(['status', 'warning'], base.status.warning),
        error: color(['status', 'error'], base.status.error),
      },
      ui: {
        comment: color(['ui', 'comment'], base.ui.comment),
        symbol: color(['ui', 'symbol'], base.ui.symbol),
        focus: this.#color(data, ['ui', 'focus'], true) ?? focused ?? base.ui.focus,
        gradient: this.#gradient(data, ['ui', 'gradient']) ?? base.ui.gradient,
      },
      syntax: {
        ...base.syntax,
        ...(this.#color(data, ['ui', 'comment'], true) ? { comment: color(['ui', 'comment'], '') } : {}),
      },
    };
  }

  #color(data: Data, path: string[], isQuiet = false): string | undefined {
    const value = this.#value(data, path);
    if (value === undefined) return undefined;
    const color = typeof value === 'string' ? normalizeColor(value) : undefined;
    if (color === undefined && !isQuiet) this.#complain(path, value);
    return color;
  }

  #gradient(data: Data, path: string[]): string[] | undefined {
    const value = this.#value(data, path);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) {
      this.#complain(path, value);
      return undefined;
    }
    const colors = value.flatMap((entry: unknown, index) => {
      const color = typeof entry === 'string' ? normalizeColor(entry) : undefined;
      if (color === undefined) this.#complain([...path, String(index)], entry);
      return color ?? [];
    });
    return colors.length > 0 ? colors : undefined;
  }

  #value(data: Data, path: string[]): unknown {
    let value: unknown = data;
    for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    return value;
  }

  #complain(path: string[], value: unknown): void {
    const shown = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
    const warning = `Theme "${this.name}": ${path.join('.')} is not a colour (${shown.slice(0, 60)}); the default is used.`;
    if (!this.warnings.includes(warning)) this.warnings.push(warning);
  }
}

function paletteOf(theme: Theme): Palette {
  return {
    background: theme.background.primary,
    foreground: theme.text.primary,
    gray: theme.text.secondary,
    comment: theme.ui.comment,
    border: theme.border.default,
    input: theme.background.input,
    blue: theme.syntax['title'] ?? theme.text.link,
    purple: theme.syntax['keyword'] ?? theme.text.accent,
    cyan: theme.syntax['type'] ?? theme.text.link,
    green: theme.status.success,
    yellow: theme.status.warning,
    orange: theme.syntax['number'] ?? theme.status.warning,
    red: theme.status.error,
    added: theme.background.diff.added,
    removed: theme.background.diff.removed,
    gradient: theme.ui.gradient,
  };
}

function isLight(background: string | undefined): boolean {
  const color = background === undefined ? undefined : parseColor(background);
  return color !== undefined && luminance(rgbOf(color)) > 0.4;
}
