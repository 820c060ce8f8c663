/** `extensions`, `extensions list` */
import type { Command, CommandContext } from './command.js';

async function list({ config }: CommandContext): Promise<unknown> {
  const all = (await config()).getExtensions();
  return all.map(({ name, version, isActive, path }) => ({ name, version, isActive, path }));
}

export const extensions: Command = {
  name: 'extensions',
  description: 'List the installed extensions',
  run: list,
  subCommands: [{ name: 'extensions list', description: 'List the installed extensions', run: list }],
};
