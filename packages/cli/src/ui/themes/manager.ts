/** Holds all themes and chooses the current one. */
import { NO_COLOR } from './builtin/ansi.js';
import { DEFAULT_DARK, DEFAULT_LIGHT } from './builtin/default.js';
import { BUILTIN_THEMES } from './builtin/index.js';
import { readCustomTheme } from './custom.js';
import type { Theme } from './theme.js';
import { isThemePath, readThemeFile } from './theme-files.js';

/** A theme of an extension's manifest. */
export interface ExtensionThemes {
  extension: string;
  themes: readonly unknown[];
}

export interface ThemeSources {
  /** `ui.customThemes`. */
  custom?: Readonly<Record<string, unknown>>;
  extensions?: readonly ExtensionThemes[];
}

export class ThemeManager {
  /** Built-in themes, then the user's, then the extensions'. */
  readonly #themes: Theme[];
  readonly warnings: string[] = [];

  constructor(sources: ThemeSources = {}) {
    this.#themes = [
      ...BUILTIN_THEMES,
      ...Object.entries(sources.custom ?? {}).map(([name, data]) => this.#add(name, data)),
      ...(sources.extensions ?? []).flatMap(({ extension, themes }) =>
        themes.map((data, index) =>
          this.#add(`${nameOf(data) ?? `theme ${index + 1}`} (${extension})`, data),
        ),
      ),
    ];
  }

  /** By name, ignoring case. The user's own theme wins over others of the same name. */
  findTheme(name: string): Theme | undefined {
    const wanted = name.trim().toLowerCase();
    return this.#themes.findLast((theme) => theme.name.toLowerCase() === wanted);
  }

  /** The theme of the settings; an unknown name or file gives a warning and the default. */
  async resolve(request: ThemeRequest): Promise<{ theme: Theme; warnings: string[] }> {
    if (request.isNoColor) return { theme: NO_COLOR, warnings: [] };
    const fallback = defaultTheme(request.background);
    const { name } = request;
    if (name === undefined || name.trim() === '') return { theme: fallback, warnings: [] };
    const known = this.findTheme(name);
    if (known)
      return { theme: request.followsBackground ? adjusted(known, request.background) : known, warnings: [] };
    if (!isThemePath(name)) {
      return {
        theme: fallback,
        warnings: [`There is no theme "${name}". Choose one with /theme; until then the default is used.`],
      };
    }
    const read = await readThemeFile(name, request.home);
    return { theme: 'theme' in read ? read.theme : fallback, warnings: read.warnings };
  }

  #add(name: string, data: unknown): Theme {
    const { theme, warnings } = readCustomTheme(name, data);
    this.warnings.push(...warnings);
    return theme;
  }
}

export type BackgroundKind = 'dark' | 'light';

export interface ThemeRequest {
  /** `ui.theme`. */
  name?: string;
  /** The terminal's answer; undefined: it did not answer. */
  background?: BackgroundKind;
  /** `ui.autoThemeSwitching`. */
  followsBackground: boolean;
  /** `NO_COLOR` is set. */
  isNoColor: boolean;
  home: string;
}

export function defaultTheme(background: BackgroundKind | undefined): Theme {
  return background === 'light' ? DEFAULT_LIGHT : DEFAULT_DARK;
}

/** The default themes follow the background; any other theme of the user stays. */
function adjusted(theme: Theme, background: BackgroundKind | undefined): Theme {
  const isDefault = theme === DEFAULT_DARK || theme === DEFAULT_LIGHT;
  return isDefault && background !== undefined ? defaultTheme(background) : theme;
}

function nameOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('name' in data)) return undefined;
  return typeof data.name === 'string' && data.name.trim() !== '' ? data.name : undefined;
}
