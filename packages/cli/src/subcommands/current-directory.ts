/** The folder a subcommand is about: where it was called. */
import { realpathSync } from 'node:fs';

export function currentDirectory(): string {
  try {
    return realpathSync(process.cwd());
  } catch {
    throw new Error('The current directory does not exist any more. Change to another one and try again.');
  }
}
