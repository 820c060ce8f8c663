/** Names the programs a command line starts, for display. */
import { parseCommand } from './parse.js';

/** A line that cannot be parsed is shown by its first word. */
export async function rootCommandsOf(command: string, path?: string): Promise<string[]> {
  const parsed = await parseCommand(command, path);
  if (parsed && parsed.roots.length > 0) return parsed.roots;
  const [first = ''] = command.trim().split(/\s+/);
  return first ? [first] : [];
}
