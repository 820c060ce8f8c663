/** Finds commands that cannot change a file, so that no snapshot for undo is needed before they run. */
import { parseCommand } from './parse.js';
import type { SimpleCommand } from './types.js';

/** Programs without an option that writes or starts anything. */
const READERS = new Set(
  'echo expr false id pwd seq tr true uname whoami which cat cd cut head ls nl paste rev stat tail wc tac grep'.split(
    ' ',
  ),
);

/** False when in doubt: a needless snapshot costs little. */
export async function changesNothing(command: string, path?: string): Promise<boolean> {
  const parsed = await parseCommand(command, path);
  return parsed !== undefined && parsed.assignments.length === 0 && parsed.commands.every(onlyReads);
}

function onlyReads({ name, dynamic, transparent, assignments, redirections }: SimpleCommand): boolean {
  if (dynamic || transparent || assignments.length > 0 || !READERS.has(name)) return false;
  return redirections.every(({ kind, target }) => kind !== 'output' || target?.text === '/dev/null');
}
