/** `restore <checkpoint>`, `restore list`: brings files back to a checkpoint. */
import type { Config } from '@gemini-cli/core';
import type { Command, CommandContext } from './command.js';
import { CommandError } from './command-error.js';

async function checkpointsOf(config: Config) {
  if (!config.getEngine().project.parameters.checkpointing)
    throw new CommandError(
      400,
      'Checkpoints are off. Set CHECKPOINTING=true, or general.checkpointing.enabled.',
    );
  return (await config.getCheckpoints()).checkpoints;
}

async function list({ config }: CommandContext): Promise<unknown> {
  const { checkpoints, problems } = (await checkpointsOf(await config())).list();
  return { checkpoints: checkpoints.map(({ name }) => name), problems };
}

async function restoreFiles({ config }: CommandContext, [name]: readonly string[]): Promise<unknown> {
  if (!name)
    throw new CommandError(400, 'Say which checkpoint: restore <name>. The command restore list names them.');
  const checkpoints = await checkpointsOf(await config());
  if (!checkpoints.list().checkpoints.some((checkpoint) => checkpoint.name === name))
    throw new CommandError(400, `There is no checkpoint ${JSON.stringify(name)}.`);
  const { files } = await checkpoints.restore(name);
  return { restored: name, files: files.steps, ...(files.problem && { problem: files.problem }) };
}

export const restore: Command = {
  name: 'restore',
  description: 'Restore files from a checkpoint',
  needsWorkspace: true,
  arguments: [{ name: 'checkpoint', description: 'Name of the checkpoint', isRequired: true }],
  run: restoreFiles,
  subCommands: [
    { name: 'restore list', description: 'List the checkpoints', needsWorkspace: true, run: list },
  ],
};
