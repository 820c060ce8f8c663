/**
 * An open question is answered with Enter, a digit, an arrow or Esc, each pressed on its own. A user who types letters
 * is still writing a prompt, so letters and the Enter after them select nothing. The exception is a single `y` before
 * Enter, as in many other programs.
 */
import { isCommand } from '../../keys/bindings.js';
import type { InputEvent, Key } from '../../keys/key.js';

/** In a narrow window the first part is shown alone. */
const ENTER_HINT = ['Press Enter again to select', 'letters do not select'];
const DIGIT_HINT = ['Press Enter, then the number', 'letters do not select'];

export type GuardVerdict =
  | { kind: 'pass' }
  /** The question does not get it. With a hint, the user is told why. */
  | { kind: 'drop'; hint?: readonly string[] };

const PASS: GuardVerdict = { kind: 'pass' };
const DROP: GuardVerdict = { kind: 'drop' };
/** Stands for text that was typed earlier or pasted. */
const ELSEWHERE = '…';
const MOVES: ReadonlySet<string> = new Set(['up', 'down', 'left', 'right', 'pageup', 'pagedown', 'tab']);

export class AnswerGuard {
  private typed = '';

  /** The question has changed or is closed. */
  reset(): void {
    this.typed = '';
  }

  /** Text for the input that came in while the question was about to open. */
  textTyped(): void {
    this.typed = ELSEWHERE;
  }

  /** @param isMixed it arrived together with text, faster than a user presses keys */
  judge(event: InputEvent, isMixed: boolean): GuardVerdict {
    if (event.kind === 'paste') return this.text(ELSEWHERE);
    if (event.kind !== 'key' || isCommand(event, 'basic.quit')) return PASS;
    if (isCommand(event, 'basic.confirm')) return this.enter(isMixed);
    if (isText(event)) {
      if (isMixed || !isDigit(event)) return this.text(event.text);
      return this.typed !== '' ? { kind: 'drop', hint: DIGIT_HINT } : PASS;
    }
    if (MOVES.has(event.name)) return this.move(event, isMixed);
    return isMixed && isCommand(event, 'basic.cancel') ? DROP : PASS;
  }

  private text(text: string): GuardVerdict {
    this.typed += text;
    return DROP;
  }

  private enter(isMixed: boolean): GuardVerdict {
    const isAnswer = /^y?$/i.test(this.typed) && !isMixed;
    this.typed = '';
    if (isAnswer) return PASS;
    return { kind: 'drop', hint: ENTER_HINT };
  }

  private move(event: Key, isMixed: boolean): GuardVerdict {
    // Text that arrives together with Tab may be meant for the field that Tab opens.
    if (isMixed) return event.name === 'tab' && this.typed === '' ? PASS : DROP;
    this.typed = '';
    return PASS;
  }
}

/** Whether the input has text, or a digit among other keys. `y` and Enter may arrive together. */
export function isMixedInput(events: readonly InputEvent[]): boolean {
  const pressed = events.filter(({ kind }) => kind === 'key' || kind === 'paste');
  const typed = pressed.filter((event) => event.kind === 'paste' || (event.kind === 'key' && isText(event)));
  const [first] = typed;
  const isLoneDigit = pressed.length === 1 && first?.kind === 'key' && isDigit(first);
  const [only, next] = pressed;
  const isYes =
    pressed.length <= 2 &&
    only?.kind === 'key' &&
    only.text.toLowerCase() === 'y' &&
    (next === undefined || (next.kind === 'key' && isCommand(next, 'basic.confirm')));
  return typed.length > 0 && !isLoneDigit && !isYes;
}

function isText({ text, ctrl, alt, cmd }: Key): boolean {
  return text !== '' && !ctrl && !alt && !cmd;
}

function isDigit({ text }: Key): boolean {
  return /^\d$/.test(text);
}
