import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { killTree, killTreesSync } from './kill-tree.js';
import { newProbe, probed } from './process-probe.test-helper.js';
import { spawnGroup } from './process-runner.js';

const platform = process.platform;
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: platform });
});

async function start(script: string, processes: number) {
  const { value, environment } = newProbe();
  const spawned = spawnGroup('bash', ['-c', script], { env: { ...process.env, ...environment } });
  if (spawned instanceof Error) throw spawned;
  spawned.child.stdout?.resume();
  await vi.waitFor(() => expect(probed(value).length).toBeGreaterThanOrEqual(processes), 10_000);
  return { ...spawned, left: () => probed(value), closed: once(spawned.child, 'close') };
}

/** The code for macOS, which has no /proc, also runs on Linux. */
describe.each(['linux', 'darwin'])('killTree as on %s', (name) => {
  const pretend = () => Object.defineProperty(process, 'platform', { value: name });

  it('lets a process clean up in the grace period', async () => {
    const script = `trap 'echo bye >&2; exit 0' TERM; echo ready >&2; while :; do sleep 0.01; done`;
    const tree = await start(script, 1);
    let said = '';
    tree.child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    await vi.waitFor(() => expect(said).toContain('ready'), 10_000);
    pretend();
    await killTree(tree.root);
    await tree.closed;
    expect(said).toContain('bye\n');
    expect(tree.child.exitCode).toBe(0);
    expect(tree.left()).toEqual([]);
  });

  it('kills children that left the group, and those that ignore SIGTERM', async () => {
    const tree = await start(`set -m; (trap '' TERM; exec sleep 61) & sleep 62 & wait`, 3);
    pretend();
    await killTree(tree.root);
    await tree.closed;
    expect(tree.left()).toEqual([]);
  });

  it('counts a long grace period by the clock, not by looks, which take long on a busy machine', async () => {
    const tree = await start(`trap '' TERM; echo ready >&2; while :; do sleep 0.05; done`, 1);
    await once(tree.child.stderr as Readable, 'data');
    pretend();
    let turns = 0;
    const busy = setInterval(() => {
      turns++;
      for (const end = performance.now() + 20; performance.now() < end; );
    }, 1);
    await killTree(tree.root, { graceMs: 2000 });
    clearInterval(busy);
    // Far more if looks were counted.
    expect(turns).toBeLessThan(300);
    await tree.closed;
    expect(tree.left()).toEqual([]);
  });

  it('works without an event loop', async () => {
    const tree = await start(`(trap '' TERM; exec sleep 61) & sleep 62`, 3);
    pretend();
    killTreesSync([tree.root]);
    expect(tree.left()).toEqual([]);
  });

  it('does nothing when all processes have ended', async () => {
    const tree = await start('true', 0);
    await tree.closed;
    pretend();
    await killTree(tree.root);
    killTreesSync([tree.root]);
    expect(tree.left()).toEqual([]);
  });
});

describe('killTree', () => {
  it('kills processes that fork all the time', async () => {
    const script = '(while :; do (sleep 0.02 &); done) & (while :; do sleep 60 & sleep 0.02; done) & wait';
    const tree = await start(script, 6);
    await killTree(tree.root);
    await tree.closed;
    expect(tree.left()).toEqual([]);
  });
});
