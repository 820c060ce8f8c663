/**
 * What answers an open question: Enter, a digit, an arrow or Esc that is pressed on its own. Letters are meant for
 * something else; they take nothing, and the Enter that follows them is part of what was typed.
 */
import { isCommand } from '../keys/bindings.js';
import type { InputEvent, Key } from '../keys/key.js';

/** In a narrow window the first part is shown alone. */
const ENTER_HINT = ['Press Enter again to select', 'letters are no answer'];
const DIGIT_HINT = ['Press Enter, then the number', 'letters are no answer'];

export type GuardVerdict =
  | { kind: 'pass' }
  /** The question does not get it. With a hint, the user is told why. */
  | { kind: 'drop'; hint?: readonly string[] };

const PASS: GuardVerdict = { kind: 'pass' };
const DROP: GuardVerdict = { kind: 'drop' };
const MOVES: ReadonlySet<string> = new Set(['up', 'down', 'left', 'right', 'pageup', 'pagedown', 'tab']);

export class AnswerGuard {
  private hasText = false;

  /** Another question, or none. */
  reset(): void {
    this.hasText = false;
  }

  /** Text for the input that came in while the question was about to open. */
  textTyped(): void {
    this.hasText = true;
  }

  /** @param isMixed it came in one piece with text: nobody presses keys that fast */
  judge(event: InputEvent, isMixed: boolean): GuardVerdict {
    if (event.kind === 'paste') return this.text();
    if (event.kind !== 'key' || isCommand(event, 'basic.quit')) return PASS;
    if (isCommand(event, 'basic.confirm')) return this.enter(isMixed);
    if (isText(event)) {
      if (isMixed || !isDigit(event)) return this.text();
      return this.hasText ? { kind: 'drop', hint: DIGIT_HINT } : PASS;
    }
    if (MOVES.has(event.name)) return this.move(event, isMixed);
    return isMixed && isCommand(event, 'basic.cancel') ? DROP : PASS;
  }

  private text(): GuardVerdict {
    this.hasText = true;
    return DROP;
  }

  private enter(isMixed: boolean): GuardVerdict {
    if (!this.hasText && !isMixed) return PASS;
    this.hasText = false;
    return { kind: 'drop', hint: ENTER_HINT };
  }

  private move(event: Key, isMixed: boolean): GuardVerdict {
    // What follows Tab in one piece may be meant for the field that it opens.
    if (isMixed) return event.name === 'tab' && !this.hasText ? PASS : DROP;
    this.hasText = false;
    return PASS;
  }
}

/** Text, or a digit that does not come alone. */
export function isMixedInput(events: readonly InputEvent[]): boolean {
  const pressed = events.filter(({ kind }) => kind === 'key' || kind === 'paste');
  const typed = pressed.filter((event) => event.kind === 'paste' || (event.kind === 'key' && isText(event)));
  const [first] = typed;
  const isLoneDigit = pressed.length === 1 && first?.kind === 'key' && isDigit(first);
  return typed.length > 0 && !isLoneDigit;
}

function isText({ text, ctrl, alt, cmd }: Key): boolean {
  return text !== '' && !ctrl && !alt && !cmd;
}

function isDigit({ text }: Key): boolean {
  return /^\d$/.test(text);
}
