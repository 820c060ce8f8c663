/**
 * A question may come up while somebody is typing. What was meant for the input must not answer it: until the typing
 * pauses, keys go on into the input, and Enter does nothing.
 */
import { isCommand } from '../keys/bindings.js';
import type { InputEvent } from '../keys/key.js';

const PAUSE_MS = 500;

export class TypeAhead {
  private until = Number.NEGATIVE_INFINITY;

  constructor(private readonly now: () => number) {}

  /** @param isTyping there is text in the input that nobody has sent */
  questionOpened(isTyping: boolean): void {
    this.until = isTyping ? this.now() + PAUSE_MS : Number.NEGATIVE_INFINITY;
  }

  /** What becomes of an event; `pass`: it is for the question. */
  judge(event: InputEvent): 'pass' | 'input' | 'drop' {
    const isPrompt = event.kind === 'paste' || event.kind === 'key';
    if (!isPrompt || this.now() >= this.until) return 'pass';
    if (event.kind === 'key' && (isCommand(event, 'basic.cancel') || isCommand(event, 'basic.quit')))
      return 'pass';
    this.until = this.now() + PAUSE_MS;
    return event.kind === 'key' && isCommand(event, 'basic.confirm') ? 'drop' : 'input';
  }
}
