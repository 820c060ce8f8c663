/** Gives every tool call of a session a unique id, whatever the server sent. */
import { objectOf } from '../../base/objects.js';
import type { Part } from '../../protocol/messages.js';

export class CallIds {
  private readonly used = new Set<string>();

  constructor(private readonly now: () => number) {}

  /** Completes the calls among `parts`: name, arguments and a unique id. */
  assign(parts: Part[]): void {
    let index = 0;
    for (const part of parts) {
      if (!part.functionCall) continue;
      const { name = '', args, id } = part.functionCall as Partial<NonNullable<Part['functionCall']>>;
      const safeName = name || 'unnamed_tool';
      part.functionCall = {
        id: this.unique(id || `${safeName}_${this.now()}_${index++}`),
        name: safeName,
        // Anything but an object would be refused by the API when the history is sent back.
        args: objectOf(args),
      };
    }
  }

  private unique(wanted: string): string {
    let id = wanted;
    for (let n = 2; this.used.has(id); n++) id = `${wanted}_${n}`;
    this.used.add(id);
    return id;
  }
}
