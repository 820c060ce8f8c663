import type { SnapshotSummary, UndoPreview } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { key } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, openDialog } from '../open-dialog.test-helper.js';
import type { UndoPort } from './port.js';
import { UndoDialog } from './UndoDialog.js';

const snapshot = (id: string, changes: Partial<SnapshotSummary> = {}): SnapshotSummary => ({
  id,
  kind: 'tool',
  callId: id,
  toolName: 'replace',
  promptId: 'p',
  description: `edit ${id}`,
  startedAt: '2026-11-15T10:00:00Z',
  owner: 'o',
  roots: [],
  blind: [],
  changes: [{ path: '/p/a.ts', before: null, after: null }],
  uncovered: [],
  uncoveredCount: 0,
  ...changes,
});
const PLAN: UndoPreview = {
  snapshots: [],
  steps: [
    {
      path: '/p/a.ts',
      action: 'restore',
      status: 'ready',
      now: null,
      target: null,
      diff: '@@ -1,1 +1,1 @@\n-new\n+old\n',
    },
  ],
};

function fakePort(list: SnapshotSummary[], plan: UndoPreview = PLAN, lastPrompt: SnapshotSummary[] = []) {
  const did: string[] = [];
  const port: UndoPort = {
    list: async () => list,
    lastPrompt: async () => lastPrompt,
    preview: async () => plan,
    undo: async ({ id, scope }) => {
      did.push(scope === 'prompt' ? `prompt of ${id}` : id);
      const left = {
        path: '/p/mine.ts',
        action: 'restore',
        status: 'changed-since',
        now: null,
        target: null,
      } as const;
      return { snapshots: [], steps: [left] };
    },
  };
  return { port, did };
}

it('the newest change is first; its diff is shown, confirmed and restored', async () => {
  const { port, did } = fakePort([snapshot('one'), snapshot('two', { undoneBy: 'x' }), snapshot('three')]);
  const { shows, press, lastFrame, closed, until } = await openDialog(UndoDialog, { props: { port } });
  await shows(/1\. edit three[\s\S]*2\. edit two \(undone\)[\s\S]*3\. edit one/);
  expect(lastFrame()).toContain('replace, 1 file');
  await press(key('down'), key('enter'));
  await shows('Restore these files?');
  expect(lastFrame()).toMatch(/\+ old/);
  await press(key('1'));
  await until(() => closed.length > 0);
  expect(did).toEqual(['one']);
});

it('offers everything of the last prompt first, if it has several changes', async () => {
  const [one, two, three] = ['one', 'two', 'three'].map((id) => snapshot(id)) as [
    SnapshotSummary,
    SnapshotSummary,
    SnapshotSummary,
  ];
  const { port, did } = fakePort([one, two, three], PLAN, [two, three]);
  const { shows, press, lastFrame, closed, until } = await openDialog(UndoDialog, { props: { port } });
  await shows(/● 1\. Everything of the last prompt[\s\S]*2\. edit three[\s\S]*4\. edit one/);
  expect(lastFrame()).toContain('2 changes, 1 file');
  await press(key('enter'));
  await shows('Restore these files?');
  await press(key('1'));
  await until(() => closed.length > 0);
  expect(did).toEqual(['prompt of three']);
});

it('Esc returns from a preview to the change that was previewed', async () => {
  const { port } = fakePort([snapshot('one'), snapshot('two'), snapshot('three')]);
  const { shows, press } = await openDialog(UndoDialog, { props: { port } });
  await shows('edit three');
  await press(key('down'), key('enter'));
  await shows('Restore these files?');
  await press(key('escape'));
  await shows('● 2. edit two');
});

it('files that were not restored are passed on for the history', async () => {
  const { port } = fakePort([snapshot('one')]);
  const { shows, press, closed, until } = await openDialog(UndoDialog, { props: { port } });
  await shows('edit one');
  await press(key('enter'));
  await shows('Restore these');
  await press(key('1'));
  await until(() => closed.length > 0);
  expect(closed).toMatchObject([{ steps: [{ path: '/p/mine.ts', status: 'changed-since' }] }]);
});

it('No and Esc change nothing', async () => {
  const { port, did } = fakePort([snapshot('one')]);
  const { shows, press, closed } = await openDialog(UndoDialog, { props: { port } });
  await shows('edit one');
  await press(key('enter'));
  await shows('Restore these');
  await press(key('2'));
  await shows('edit one');
  await press(key('escape'));
  expect(closed).toEqual([undefined]);
  expect(did).toEqual([]);
});

it('nothing is offered where nothing can be restored', async () => {
  const left: UndoPreview = {
    snapshots: [],
    steps: [{ path: '/p/a', action: 'restore', status: 'changed-since', now: null, target: null }],
  };
  const { port, did } = fakePort([snapshot('one')], left);
  const { shows, press } = await openDialog(UndoDialog, { props: { port } });
  await shows('edit one');
  await press(key('enter'));
  await shows('There is nothing to restore.');
  await shows('was changed since then');
  await press(key('1'));
  expect(did).toEqual([]);
});

it('the dialog says when nothing was changed or there is no session', async () => {
  const empty = await openDialog(UndoDialog, { props: { port: fakePort([]).port } });
  await empty.shows('Nothing was changed yet.');
  const early = await openDialog(UndoDialog);
  await early.shows('There is no session yet.');
});

it.each([
  [20, 5],
  [40, 10],
  [120, 24],
])('the dialog fits %i columns and %i rows', async (width, height) => {
  const list = Array.from({ length: 100 }, (_, at) =>
    snapshot(String(at), { description: HOSTILE, toolName: HOSTILE }),
  );
  const plan: UndoPreview = {
    snapshots: [],
    steps: Array.from({ length: 100 }, () => ({
      path: `/p/${HOSTILE}`,
      action: 'restore' as const,
      status: 'ready' as const,
      now: null,
      target: null,
      detail: HOSTILE,
      diff: `@@ -1,1 +1,1 @@\n-${'x'.repeat(5000)}\n+${HOSTILE}\n`,
    })),
  };
  const { shows, press, lastFrame } = await openDialog(UndoDialog, {
    width,
    height,
    props: { port: fakePort(list, plan).port },
  });
  await shows('evil');
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  await press(key('enter'));
  await shows('Restore these');
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
});
