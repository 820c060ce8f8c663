/** The current theme: the user's choice, or the one that fits the terminal's background. */
import { homedir } from 'node:os';
import type { LoadedSettings } from '@gemini-cli/core';
import { isNoColor } from '../../../terminal/color-depth.js';
import { BACKGROUND_QUERY, backgroundFromEnv, backgroundOf } from '../../themes/detect.js';
import {
  type BackgroundKind,
  defaultTheme,
  type ExtensionThemes,
  ThemeManager,
} from '../../themes/manager.js';
import type { Theme } from '../../themes/theme.js';

export interface ThemeChoiceOptions {
  settings: () => LoadedSettings;
  /** Themes of active extensions. */
  extensionThemes: () => Promise<readonly ExtensionThemes[]>;
  env: NodeJS.ProcessEnv;
  write: (data: string) => void;
  warn: (text: string) => void;
  onChange: () => void;
}

const DEFAULT_POLL_SECONDS = 60;

export class ThemeChoice {
  private theme: Theme;
  private previewed: Theme | undefined;
  private background: BackgroundKind | undefined;
  private manager: ThemeManager;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ThemeChoiceOptions) {
    this.background = backgroundFromEnv(options.env);
    this.theme = defaultTheme(this.background);
    this.manager = this.newManager();
  }

  get current(): Theme {
    return this.previewed ?? this.theme;
  }

  /** Undefined: ends the preview. */
  preview(name: string | undefined): void {
    this.previewed = name === undefined ? undefined : this.manager.findTheme(name);
    this.options.onChange();
  }

  /** Reads the settings again. */
  async load(): Promise<void> {
    const { merged } = this.options.settings();
    this.manager = this.newManager(await this.options.extensionThemes());
    for (const warning of this.manager.warnings) this.options.warn(warning);
    const { theme, warnings } = await this.manager.resolve({
      ...(merged.ui?.theme !== undefined && { name: merged.ui.theme }),
      ...(this.background && { background: this.background }),
      followsBackground: merged.ui?.autoThemeSwitching ?? true,
      isNoColor: isNoColor(this.options.env),
      home: homedir(),
    });
    for (const warning of warnings) this.options.warn(warning);
    this.use(theme);
  }

  /** Asks the terminal for its background, now and at intervals. */
  watchBackground(): void {
    const { ui } = this.options.settings().merged;
    if (isNoColor(this.options.env) || this.options.env['TERM'] === 'dumb') return;
    this.options.write(BACKGROUND_QUERY);
    const seconds = ui?.terminalBackgroundPollingInterval ?? DEFAULT_POLL_SECONDS;
    if (seconds <= 0 || ui?.autoThemeSwitching === false) return;
    this.timer = setInterval(() => this.options.write(BACKGROUND_QUERY), seconds * 1000);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** @returns whether it was about the background */
  handleAnswer(sequence: string): boolean {
    const background = sequence.includes(']11;') ? backgroundOf(sequence) : undefined;
    if (!background) return false;
    if (background !== this.background) {
      this.background = background;
      void this.load();
    }
    return true;
  }

  private use(theme: Theme): void {
    if (theme === this.theme) return;
    this.theme = theme;
    this.options.onChange();
  }

  private newManager(extensions: readonly ExtensionThemes[] = []): ThemeManager {
    const custom = this.options.settings().merged.ui?.customThemes;
    return new ThemeManager({ extensions, ...(custom && { custom }) });
  }
}
