/** What the user types while the agent works: kept until the model can be told, between two of its turns. */
import type { Message } from '../protocol/messages.js';

export class Steering {
  private readonly hints: string[] = [];

  add(text: string): void {
    if (text.trim() !== '') this.hints.push(text);
  }

  /** All that has come since the last call, as one text; undefined: nothing. */
  take(): string | undefined {
    return this.hints.length === 0 ? undefined : this.hints.splice(0).join('\n\n');
  }
}

export function steeringMessage(text: string): Message {
  return { role: 'user', origin: 'prompt', isSteering: true, parts: [{ text }] };
}

/** True for what is not taken back when a request fails: tools have run, or the user was told that it was added. */
export function staysInHistory({ origin, isSteering }: Message): boolean {
  return origin === 'tool_response' || isSteering === true;
}
