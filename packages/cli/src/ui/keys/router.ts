/** Offers each input event to the handlers in order; components of the open dialog register here. */
import type { InputEvent, InputHandler } from './key.js';

/** Whether a handler would take the event as typed text now, or as a key. */
export type TakesText = (event: InputEvent) => boolean;

export class InputRouter {
  private readonly handlers: { handle: InputHandler; takesText: TakesText }[] = [];

  /** Offers an event to the components, the last mounted first. */
  readonly components: InputHandler = (event) =>
    [...this.handlers].reverse().some(({ handle }) => handle(event));

  private order: readonly InputHandler[] = [this.components];

  /** @param order the handlers, with `components` in its place */
  setOrder(order: readonly InputHandler[]): void {
    this.order = order;
  }

  /** Registers a component. @returns unregisters it */
  add(handle: InputHandler, takesText: TakesText = () => false): () => void {
    const entry = { handle, takesText };
    this.handlers.push(entry);
    return () => {
      const index = this.handlers.indexOf(entry);
      if (index >= 0) this.handlers.splice(index, 1);
    };
  }

  dispatch(event: InputEvent): boolean {
    return this.order.some((handle) => handle(event));
  }

  /** Asks the component that was mounted last. */
  takesText(event: InputEvent): boolean {
    return this.handlers.at(-1)?.takesText(event) ?? false;
  }
}
