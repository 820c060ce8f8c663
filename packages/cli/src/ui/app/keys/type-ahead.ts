/**
 * A question may open while the user is typing. Keys meant for the input must not answer it: until the user pauses,
 * keys still go to the input, and Enter does nothing.
 */
import { isCommand } from '../../keys/bindings.js';
import type { InputEvent, Key, Paste } from '../../keys/key.js';

const PAUSE_MS = 500;
/** A key that is held down repeats faster than this, too fast to have read a question. */
const REPEAT_MS = 80;

export interface OpenQuestion {
  /** The input has text that was not sent, or a dialog was open that the keys were for. */
  isTyping: boolean;
  /** The user did not ask for it, so a user who typed a moment ago is still typing. */
  isUnbidden?: boolean;
  /** Letters do not answer it, so they are meant for the input. */
  hasNoLetters?: boolean;
}

export class TypeAhead {
  private until = NEVER;
  private heldUntil = NEVER;
  private lastTyped = NEVER;
  private lastEnter = NEVER;
  private isUnseen = false;
  private hasNoLetters = false;

  constructor(private readonly now: () => number) {}

  questionOpened({ isTyping, isUnbidden = false, hasNoLetters = false }: OpenQuestion): void {
    const isBusy = isTyping || (isUnbidden && this.now() - this.lastTyped < PAUSE_MS);
    this.until = isBusy ? this.now() + PAUSE_MS : NEVER;
    this.heldUntil = this.lastEnter + REPEAT_MS;
    this.isUnseen = true;
    this.hasNoLetters = hasNoLetters;
  }

  /** It is on the screen. */
  questionShown(): void {
    this.isUnseen = false;
  }

  questionClosed(): void {
    this.until = NEVER;
    this.heldUntil = NEVER;
    this.isUnseen = false;
    this.hasNoLetters = false;
  }

  /** Keys go to the input, and nothing else is open. */
  typed(): void {
    this.lastTyped = this.now();
  }

  /** Where an event goes; `pass`: to the open question. @param isHidden the question is not visible */
  judge(event: InputEvent, { isHidden = false } = {}): 'pass' | 'input' | 'drop' {
    if (event.kind !== 'paste' && event.kind !== 'key') return 'pass';
    if (event.kind === 'key' && (isCommand(event, 'basic.cancel') || isCommand(event, 'basic.quit')))
      return 'pass';
    if (isHidden) return 'drop';
    const now = this.now();
    const isEnter = event.kind === 'key' && isCommand(event, 'basic.confirm');
    if (isEnter) this.lastEnter = now;
    // Another key in between: Enter was let go.
    else this.heldUntil = NEVER;
    if (isEnter && now < this.heldUntil) {
      this.heldUntil = now + REPEAT_MS;
      return 'drop';
    }
    if (this.hasNoLetters && isWord(event)) this.until = now + PAUSE_MS;
    const isTyping = now < this.until;
    if (isTyping) this.until = now + PAUSE_MS;
    if (!isTyping && !this.isUnseen) return 'pass';
    return isEnter ? 'drop' : 'input';
  }
}

const NEVER = Number.NEGATIVE_INFINITY;

/** Digits choose, and a few letters move; all others are part of a sentence. */
function isWord(event: Key | Paste): boolean {
  if (event.kind === 'paste') return true;
  if (event.ctrl || event.alt || event.cmd || event.text === '' || /^\d$/.test(event.text)) return false;
  return !isCommand(event, 'nav.dialog.up') && !isCommand(event, 'nav.dialog.down');
}
