/** Tests what the guard of a contained command counts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { guard } from './guard.js';

it.runIf(process.platform === 'linux')(
  'counts no processes of this machine while bubblewrap has not mounted those of the command yet',
  async () => {
    // A process with a child, as bubblewrap at its start: /proc is still that of the machine.
    const child = spawn('bash', ['-c', 'sleep 0.3 & wait; echo done'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const stop = guard(child.pid ?? 0, { countsProcesses: true, maxProcesses: 1 });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await once(child, 'close');
    stop();
    expect(output).toBe('done\n');
  },
);
