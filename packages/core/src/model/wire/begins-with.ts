/** Whether a conversation continues what was serialized before; checked with every request. */
import type { Message } from '../../protocol/messages.js';

/** By identity, in a plain loop: ten thousand messages take some microseconds. */
export function beginsWith(messages: readonly Message[], written: readonly Message[]): boolean {
  if (written.length > messages.length) return false;
  for (let index = 0; index < written.length; index++) {
    if (written[index] !== messages[index]) return false;
  }
  return true;
}
