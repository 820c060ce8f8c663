/** Hands each input event to the youngest handler that wants it: a dialog before the composer, the composer before the app. */
import type { InputEvent, InputHandler } from './key.js';

/** Whether an event would be typed into a field now, or is a key of its own to the handler. */
export type TakesText = (event: InputEvent) => boolean;

export class InputRouter {
  private readonly handlers: { handle: InputHandler; takesText: TakesText }[] = [];

  /** @returns takes the handler out again */
  add(handle: InputHandler, takesText: TakesText = () => false): () => void {
    const entry = { handle, takesText };
    this.handlers.push(entry);
    return () => {
      const index = this.handlers.indexOf(entry);
      if (index >= 0) this.handlers.splice(index, 1);
    };
  }

  dispatch(event: InputEvent): boolean {
    for (const { handle } of [...this.handlers].reverse()) if (handle(event)) return true;
    return false;
  }

  /** Asks the youngest handler. */
  takesText(event: InputEvent): boolean {
    return this.handlers.at(-1)?.takesText(event) ?? false;
  }
}
