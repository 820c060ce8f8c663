/** What the input box needs from the app. Everything but `onSubmit` is optional. */
import type { Completer } from '../../completion/completer.js';
import type { ComposerBox } from './composer-state.js';

export interface SubmitHow {
  isShellMode: boolean;
  /** What stands in the text for each label of the input. */
  pasted: ReadonlyMap<string, string>;
}

export interface ComposerOptions {
  width?: number;
  maxRows?: number;
  box?: ComposerBox;
  /** `general.vimMode`. */
  vim?: boolean;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;

  /** The text with labels replaced by their contents; never blank. False: refused, the text stays. */
  onSubmit(text: string, how: SubmitHow): boolean;
  /** Tab while the model works. False: refused, the text stays. */
  onQueue?(text: string, how: SubmitHow): boolean;
  /** While the model works, Esc belongs to the app. */
  isBusy?(): boolean;
  /** Up on an empty input: queued messages return to it. */
  takeQueue?(): string | undefined;

  /** Oldest first. */
  history?(): readonly string[];
  shellHistory?(): readonly string[];
  completer?: Completer;
  /** Shows a long suggestion in full, or folds it again. */
  onExpandSuggestion?(isExpanded: boolean): void;
  /** A completion of the text that Tab inserts. */
  ghost?(): string | undefined;

  /** Ctrl+V asks for the clipboard; the app answers with `paste` or `insertImage`. */
  onPasteRequest?(): void;
  /** Turns dropped paths into `@` references; see `input/paste.ts`. The text has no control characters. */
  preparePaste?(text: string): string;
  /** False: an Enter right after a paste belongs to the paste. */
  hasReliablePaste?(): boolean;
  /** Opens the text in the user's editor; undefined: nothing changes. */
  onExternalEditor?(text: string): Promise<string | undefined>;

  onShellMode?(on: boolean): void;
  onVimMode?(mode: string): void;
  /** The first Esc: the app says what a second one does. */
  onEscapeArmed?(second: 'clear' | 'rewind'): void;
  /** The second Esc on an empty input. */
  onRewind?(): void;
  /** `?` on an empty input. */
  shortcuts?: { isOpen(): boolean; open(): void; close(): void };
  /** A one-line notice, e.g. about a key that has changed. */
  onHint?(text: string): void;
}
