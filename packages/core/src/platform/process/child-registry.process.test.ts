import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { killAllChildren } from './child-registry.js';
import { newProbe, PROBE, probed } from './process-probe.test-helper.js';
import { runProcess, spawnGroup } from './process-runner.js';

/** Leaves the process group, the session and its parent, as daemons do. */
const DAEMON = '(setsid bash -c "sleep 60 & exec sleep 60" </dev/null >/dev/null 2>&1 &)';

describe('killAllChildren', () => {
  it('kills running children, background jobs, daemons, and processes that ignore SIGTERM', async () => {
    const { value, environment } = newProbe();
    const env = { ...process.env, ...environment };
    const running = spawnGroup('bash', ['-c', `trap '' TERM; while :; do sleep 1; done`], { env });
    await runProcess('bash', ['-c', `sleep 60 & ${DAEMON}`], { env });
    await vi.waitFor(() => expect(probed(value).length).toBeGreaterThanOrEqual(5), 10_000);
    killAllChildren();
    expect(probed(value)).toEqual([]);
    if (running instanceof Error) throw running;
    await once(running.child, 'close');
    expect(running.child.signalCode).toBe('SIGKILL');
  });

  it('does not kill processes that we did not start', async () => {
    const { value } = newProbe();
    const foreign = spawn('sleep', ['60'], { env: { ...process.env, [PROBE]: value } });
    await vi.waitFor(() => expect(probed(value)).toEqual([foreign.pid]), 10_000);
    await runProcess('true', [], { env: process.env });
    killAllChildren();
    expect(probed(value)).toEqual([foreign.pid]);
    foreign.kill();
  });

  it('is called when the program ends', async () => {
    const { value, environment } = newProbe();
    const program = `
      import { runProcess } from ${JSON.stringify(new URL('./process-runner.ts', import.meta.url).pathname)};
      await runProcess('bash', ['-c', ${JSON.stringify(`sleep 60 & ${DAEMON}`)}], { env: process.env });
      console.log('ready');
      process.stdin.once('data', () => process.exit(0));
    `;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await vi.waitFor(() => expect(probed(value).length).toBeGreaterThanOrEqual(4), 10_000);
    child.stdin.write('go');
    await once(child, 'exit');
    expect(probed(value)).toEqual([]);
  });
});
