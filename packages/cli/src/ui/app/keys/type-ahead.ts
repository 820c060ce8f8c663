/**
 * A question may come up while the user is typing. What was meant for the input must not answer it: until the typing
 * pauses, keys still go to the input, and Enter does nothing.
 */
import { isCommand } from '../../keys/bindings.js';
import type { InputEvent, Key, Paste } from '../../keys/key.js';

const PAUSE_MS = 500;
/** A key that is held repeats itself faster than this, and no user reads a question in that time. */
const REPEAT_MS = 80;

export interface OpenQuestion {
  /** The input has text that was not sent, or a dialog was open that the keys were for. */
  isTyping: boolean;
  /** It does not follow from what was just entered: a user who typed a moment ago is still typing. */
  isUnbidden?: boolean;
  /** Letters mean nothing to it, so they are meant for the input. */
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

  /** What becomes of an event; `pass`: it is for what is open. @param isHidden no part of the question can be seen */
  judge(event: InputEvent, { isHidden = false } = {}): 'pass' | 'input' | 'drop' {
    if (event.kind !== 'paste' && event.kind !== 'key') return 'pass';
    if (event.kind === 'key' && (isCommand(event, 'basic.cancel') || isCommand(event, 'basic.quit')))
      return 'pass';
    if (isHidden) return 'drop';
    const now = this.now();
    const isEnter = event.kind === 'key' && isCommand(event, 'basic.confirm');
    if (isEnter) this.lastEnter = now;
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
