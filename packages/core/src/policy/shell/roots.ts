/** The names of the programs a command line starts, for the user to read. */
import { parseCommand } from './parse.js';

/** What cannot be read is shown by its first word. */
export async function rootCommandsOf(command: string, path?: string): Promise<string[]> {
  const parsed = await parseCommand(command, path);
  if (parsed && parsed.roots.length > 0) return parsed.roots;
  const [first = ''] = command.trim().split(/\s+/);
  return first ? [first] : [];
}
