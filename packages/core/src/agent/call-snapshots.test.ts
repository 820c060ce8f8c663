import { describe, expect, it } from 'vitest';
import { SnapshotError, type SnapshotReason } from '../platform/snapshots/error.js';
import type { SnapshotHandle, SnapshotRecord } from '../platform/snapshots/types.js';
import { Kind } from '../protocol/tool-declaration.js';
import { CallSnapshots, type CallToKeep, type SnapshotStore } from './call-snapshots.js';

const handle: SnapshotHandle = { id: 's1', kind: 'tool', uncovered: [], uncoveredCount: 0 };
const edit: CallToKeep = {
  callId: 'c',
  promptId: 'p',
  toolName: 'write_file',
  kind: Kind.Edit,
  args: {},
  description: 'a.txt key=SECRET',
  paths: ['/w/a.txt'],
};
const shell: CallToKeep = {
  ...edit,
  toolName: 'run_shell_command',
  kind: Kind.Execute,
  args: { command: 'make' },
  paths: [],
};

function snapshotsWith(change: { fails?: SnapshotReason; uncovered?: boolean } = {}) {
  const log: string[] = [];
  const notices: string[] = [];
  const checkpoints: string[] = [];
  const failure = () => new SnapshotError(change.fails ?? 'io', `store is ${change.fails}`);
  const store: SnapshotStore = {
    beforeToolCall: async ({ paths, description }) => {
      if (change.fails) throw failure();
      log.push(`files ${paths.join()} ${description}`);
      return handle;
    },
    beforeCommand: async () => {
      if (change.fails) throw failure();
      log.push('tree');
      return handle;
    },
    afterCall: async () => {
      log.push('after');
      const uncovered = change.uncovered ? [{ path: '/w/huge', reason: 'over 100 MB' }] : [];
      return { uncovered, uncoveredCount: uncovered.length } as Partial<SnapshotRecord> as SnapshotRecord;
    },
  };
  const snapshots = new CallSnapshots({
    open: async () => store,
    changesNothing: async (command) => command === 'ls',
    redact: (text) => text.replace('SECRET', '***'),
    notice: (message) => notices.push(message),
    onKept: async ({ toolName }, snapshotId) => {
      checkpoints.push(`${toolName} ${snapshotId} after ${log.join()}`);
    },
  });
  const run = (call: CallToKeep, continues = false) =>
    snapshots.around(
      call,
      async () => {
        log.push('run');
        return 'done';
      },
      () => continues,
    );
  return { run, log, notices, checkpoints, snapshots };
}

describe('a snapshot before a call', () => {
  it('keeps the named files and records what the call did', async () => {
    const { run, log } = snapshotsWith();
    expect(await run(edit)).toBe('done');
    expect(log).toEqual(['files /w/a.txt a.txt key=***', 'run', 'after']);
  });

  it('keeps the whole tree for a command, and for a change without paths', async () => {
    const { run, log } = snapshotsWith();
    await run(shell);
    await run({ ...edit, paths: [] });
    expect(log).toEqual(['tree', 'run', 'after', 'tree', 'run', 'after']);
  });

  it('triggers a checkpoint, with the snapshot id if there is one', async () => {
    const { run, checkpoints } = snapshotsWith();
    await run(shell);
    await run({ ...shell, args: { command: 'ls' } });
    const without = snapshotsWith({ fails: 'unwritable' });
    await without.run(edit);
    expect([...checkpoints, ...without.checkpoints]).toEqual([
      'run_shell_command s1 after tree',
      'write_file undefined after ',
    ]);
  });

  it('is not made for calls that cannot change a file', async () => {
    const { run, log } = snapshotsWith();
    await run({ ...shell, args: { command: 'ls' } });
    await run({ ...edit, kind: Kind.Read });
    expect(log).toEqual(['run', 'run']);
  });
});

describe('a snapshot after a call', () => {
  it('is recorded also when the call failed', async () => {
    const { snapshots, log } = snapshotsWith();
    const failing = snapshots.around(
      edit,
      async () => {
        throw new Error('no');
      },
      () => false,
    );
    await expect(failing).rejects.toThrow('no');
    expect(log.at(-1)).toBe('after');
  });

  it('stays open while the call continues in the background', async () => {
    const { run, log } = snapshotsWith();
    await run(shell, true);
    expect(log).toEqual(['tree', 'run']);
  });

  it('tells the user what cannot be restored', async () => {
    const { run, notices } = snapshotsWith({ uncovered: true });
    await run(shell);
    expect(notices).toEqual(['An undo cannot restore: /w/huge (over 100 MB)']);
  });
});

describe('a snapshot store that fails', () => {
  it.each(['full', 'corrupt'] as const)('stops the call when it is %s', async (fails) => {
    const { run, log } = snapshotsWith({ fails });
    await expect(run(edit)).rejects.toThrow(`store is ${fails}`);
    expect(log).toEqual([]);
  });

  it('reports a missing place to write once', async () => {
    const { run, log, notices } = snapshotsWith({ fails: 'unwritable' });
    await run(edit);
    await run(shell);
    expect(log).toEqual(['run', 'run']);
    expect(notices).toEqual(['Changes cannot be undone: store is unwritable']);
  });
});
