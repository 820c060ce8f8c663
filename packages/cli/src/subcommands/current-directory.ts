/** The real path of the current directory, or an error for the user. */
import { realpathSync } from 'node:fs';

export function currentDirectory(): string {
  try {
    return realpathSync(process.cwd());
  } catch {
    throw new Error('The current directory does not exist any more. Change to another one and try again.');
  }
}
