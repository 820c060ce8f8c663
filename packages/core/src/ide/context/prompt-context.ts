/** Remembers what the model knows about the editor. */
import type { Message } from '../../protocol/messages.js';
import type { IdeContext } from '../types.js';
import { describeAll, describeChanges } from './describe-context.js';

export class PromptContext {
  private known: IdeContext | undefined;
  /** What the model was told, the full description first. */
  private told: string[] = [];

  /** @returns what to tell with the next prompt; undefined: nothing */
  next(now: IdeContext, history: readonly Message[]): string | undefined {
    // After a compression, a rewind or in another conversation the model does not know it any more.
    const isKnown = this.known && isIn(history, this.told);
    if (!isKnown) this.told = [];
    const text = isKnown && this.known ? describeChanges(this.known, now) : describeAll(now);
    this.known = isKnown || text !== undefined ? now : undefined;
    if (text !== undefined) this.told.push(text);
    return text;
  }
}

/** All of them, in this order. Searched from the end, where the last one is. */
function isIn(history: readonly Message[], told: readonly string[]): boolean {
  let left = told.length;
  for (let at = history.length - 1; at >= 0 && left > 0; at--) {
    const message = history[at];
    if (message?.origin !== 'prompt') continue;
    if (message.parts.some(({ text }) => text === told[left - 1])) left--;
  }
  return left === 0;
}
