/** Runs a shell over pipes, without a terminal and without input. */
import type { CommandProcess, StartOptions } from './command-process.js';
import { killGroupAfterDeath } from './death-watch.js';
import { spawnGroup, untilExit } from './process-runner.js';

export function startOnPipes({ file, args, cwd, env, onData }: StartOptions): CommandProcess | Error {
  const started = spawnGroup(file, args, { cwd, env });
  if (started instanceof Error) return started;
  const { child, root } = started;
  if (root.pid) child.once('exit', killGroupAfterDeath(root.pid));
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  for (const stream of streams) stream.on('data', onData);
  return {
    method: 'pipes',
    root,
    exited: untilExit(child),
    pause: () => {
      for (const stream of streams) stream.pause();
    },
    resume: () => {
      for (const stream of streams) stream.resume();
    },
    write: () => {},
    resize: () => {},
  };
}
