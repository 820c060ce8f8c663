/** Tells the sandbox which programs a command line runs, with which arguments. */
import { basename } from 'node:path';
import { parseCommand } from './parse.js';
import { isHarmlessAssignment } from './variables/assignments.js';

export interface LinePrograms {
  /**
   * Programs that may get extra permissions. Empty if another program could run under the name: the line cannot be
   * parsed, runs a program of the project, or changes PATH.
   */
  names: string[];
  /** Every command with its arguments, to guess which permissions it needs. */
  commands: { program: string; args: string[] }[];
}

export async function programsOf(
  command: string,
  environment: Readonly<Record<string, string>> = {},
  path?: string,
): Promise<LinePrograms> {
  const parsed = await parseCommand(command, path);
  if (!parsed) return { names: [], commands: [] };
  const commands = parsed.commands
    .filter(({ name }) => name !== '')
    .map(({ name, words }) => ({ program: name, args: words.slice(1).map(({ text }) => text) }));
  const assignments = [
    ...parsed.assignments,
    ...parsed.commands.flatMap((item) => item.assignments),
    ...Object.entries(environment).map(([name, value]) => ({ name, value, literal: true })),
  ];
  const isClear =
    assignments.every(isHarmlessAssignment) &&
    parsed.commands.every(({ name, dynamic }) => !dynamic && isOfSystem(name));
  return { names: isClear ? [...new Set(commands.map(({ program }) => basename(program)))] : [], commands };
}

function isOfSystem(name: string): boolean {
  return !name.includes('/') || /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/.test(name);
}
