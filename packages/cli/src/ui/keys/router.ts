/** Hands each input event to the youngest handler that wants it: a dialog before the composer, the composer before the app. */
import type { InputEvent, InputHandler } from './key.js';

export class InputRouter {
  private readonly handlers: InputHandler[] = [];

  /** @returns takes the handler out again */
  add(handler: InputHandler): () => void {
    this.handlers.push(handler);
    return () => {
      const index = this.handlers.indexOf(handler);
      if (index >= 0) this.handlers.splice(index, 1);
    };
  }

  dispatch(event: InputEvent): boolean {
    for (const handler of [...this.handlers].reverse()) if (handler(event)) return true;
    return false;
  }
}
