/** `gemini --list-extensions` (`-l`): the names of the installed extensions. */
import type { Subcommand } from '../subcommand.js';
import { openExtensions } from './open.js';

const names: Subcommand = async (_args, io) => {
  const { extensions } = await openExtensions(io);
  io.stdout(
    extensions.length === 0
      ? 'No extensions installed.\n'
      : `Installed extensions:\n${extensions.map(({ name }) => `- ${name}\n`).join('')}`,
  );
  return 0;
};

export default names;
