/** How the user's key for a command is called, for hints. */
import { type CommandId, keysOf } from '../keys/bindings.js';

/** The first of its keys; a command whose keys were all taken away is named as such. */
export function keyName(command: CommandId): string {
  return keysOf(command)[0] ?? command;
}
