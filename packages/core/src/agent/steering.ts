/** Steering: text the user types while the agent works, kept until the next model turn. */
import type { Message } from '../protocol/messages.js';

export class Steering {
  private readonly hints: string[] = [];
  private readonly listeners = new Set<(text: string) => void>();

  add(text: string): void {
    if (text.trim() === '') return;
    this.hints.push(text);
    for (const listener of this.listeners) listener(text);
  }

  /** Text that the model has not got yet. */
  get pending(): readonly string[] {
    return this.hints;
  }

  /** @returns a function that unsubscribes */
  onAdded(listener: (text: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** All text added since the last call; undefined: none. */
  take(): string | undefined {
    return this.hints.length === 0 ? undefined : this.hints.splice(0).join('\n\n');
  }
}

export function steeringMessage(text: string): Message {
  return { role: 'user', origin: 'prompt', isSteering: true, parts: [{ text }] };
}

/** True for messages that stay when a request fails: tools have run, or the user was told that the text was added. */
export function staysInHistory({ origin, isSteering }: Message): boolean {
  return origin === 'tool_response' || isSteering === true;
}
