/** `memory show|refresh|list`: the context files of the workspace. */
import type { Command, CommandContext } from './command.js';

async function memoryOf({ config }: CommandContext) {
  return (await config()).getMemory();
}

async function show(context: CommandContext): Promise<string> {
  const groups = await (await memoryOf(context)).show();
  const files = groups.flatMap((group) => group.files);
  if (files.length === 0) return 'No context files are read. The command init creates one.';
  return files.map(({ path, text }) => `--- ${path} ---\n${text.trimEnd()}`).join('\n\n');
}

async function refresh(context: CommandContext): Promise<string> {
  const { characters, files } = await (await memoryOf(context)).reload();
  return `Memory reloaded: ${characters} characters from ${files} ${files === 1 ? 'file' : 'files'}.`;
}

async function list(context: CommandContext): Promise<string> {
  const paths = await (await memoryOf(context)).list();
  return paths.length > 0 ? paths.join('\n') : 'No context files are read.';
}

export const memory: Command = {
  name: 'memory',
  description: 'Show the context files that the model reads',
  needsWorkspace: true,
  run: show,
  subCommands: [
    { name: 'memory show', description: 'Show their contents', needsWorkspace: true, run: show },
    { name: 'memory refresh', description: 'Read them again', needsWorkspace: true, run: refresh },
    { name: 'memory list', description: 'List their paths', needsWorkspace: true, run: list },
  ],
};
