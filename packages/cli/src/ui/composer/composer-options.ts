/** What the composer asks of the app around it. Everything but `onSubmit` may be absent. */
import type { Completer } from '../../completion/completer.js';
import type { ComposerBox } from './composer-state.js';

export interface ComposerOptions {
  width?: number;
  maxRows?: number;
  box?: ComposerBox;
  /** `general.vimMode`. */
  vim?: boolean;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;

  /** Never empty or blank, labels replaced by what they stand for. False: not taken, the text stays. */
  onSubmit(text: string, how: { isShellMode: boolean }): boolean;
  /** Tab while the model works. False: not taken, the text stays. */
  onQueue?(text: string): boolean;
  /** The model works: Esc is not ours then. */
  isBusy?(): boolean;
  /** Up on an empty input: queued messages come back. */
  takeQueue?(): string | undefined;

  /** Oldest first. */
  history?(): readonly string[];
  shellHistory?(): readonly string[];
  completer?: Completer;
  /** The suggestion under the cursor is long: shown in full, or not. */
  onExpandSuggestion?(isExpanded: boolean): void;
  /** Text that could go on here, taken by Tab. */
  ghost?(): string | undefined;

  /** Clipboard wanted (Ctrl+V); the app answers with `paste` or `insertImage`. */
  onPasteRequest?(): void;
  /** What was pasted, made of dropped paths and `@`; see `input/paste.ts`. Gets clean text. */
  preparePaste?(text: string): string;
  /** False: Enter right after a paste is part of it. */
  hasReliablePaste?(): boolean;
  /** The text in the user's editor; undefined: nothing changes. */
  onExternalEditor?(text: string): Promise<string | undefined>;

  onShellMode?(on: boolean): void;
  onVimMode?(mode: string): void;
  /** The first Esc: the app says what the second one does. */
  onEscapeArmed?(second: 'clear' | 'rewind'): void;
  /** The second Esc on an empty input. */
  onRewind?(): void;
  /** `?` on an empty input. */
  shortcuts?: { isOpen(): boolean; open(): void; close(): void };
  /** A line for the user, e.g. about a key that has changed. */
  onHint?(text: string): void;
}
