/** Starts an editor and waits until the user has closed it. */
import { type SpawnOptions, spawn } from 'node:child_process';
import type { OpenEditor } from './edit-proposal.js';

export const startEditor: OpenEditor = ({ file, args, isTerminal }, signal) =>
  new Promise((resolve, reject) => {
    const options: SpawnOptions = { stdio: isTerminal ? 'inherit' : 'ignore', signal };
    // On Windows, VS Code and its relatives are scripts, which need a shell.
    const isScript = process.platform === 'win32' && /\.(cmd|bat)$/i.test(file);
    const child = isScript
      ? spawn(
          `"${file}"`,
          args.map((arg) => `"${arg}"`),
          { ...options, shell: true },
        )
      : spawn(file, args, options);
    child.once('error', reject);
    child.once('exit', (code, ended) => {
      if (code === 0) resolve();
      else reject(new Error(ended ? `it was ended by ${ended}` : `it ended with exit code ${code}`));
    });
  });
