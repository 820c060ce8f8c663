import type { RewindTurn } from '@gemini-cli/core';
import { describe, expect, it } from 'vitest';
import { key } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, type OpenOptions, openDialog } from '../open-dialog.test-helper.js';
import { type RewindPort, RewindViewer } from './RewindViewer.js';

const turn = (messageId: string, changes: Partial<RewindTurn> = {}): RewindTurn => ({
  messageId,
  text: `prompt ${messageId}`,
  files: [],
  added: 0,
  removed: 0,
  canRevert: false,
  ...changes,
});
const EDITING = turn('b', {
  files: [{ path: '/p/a.ts', added: 5, removed: 2 }],
  added: 5,
  removed: 2,
  canRevert: true,
});

const LEFT = { path: '/p/mine.ts', action: 'restore', status: 'changed-since' } as const;

interface FakePort extends RewindPort {
  did: string[];
}

function fakePort(turns: RewindTurn[], changes: Partial<RewindPort> = {}): FakePort {
  const did: string[] = [];
  return {
    turns: async () => turns,
    items: (id) => [
      { type: 'user', text: `prompt ${id}` },
      { type: 'gemini', text: 'an **answer**' },
      { type: 'tool_group', tools: [{ callId: '1', name: 'Edit', description: 'a.ts', status: 'success' }] },
    ],
    preview: async () => ({
      steps: [{ path: '/p/a.ts', action: 'restore', status: 'ready', diff: '@@ -1,1 +1,1 @@\n-new\n+old\n' }],
      undoIds: [],
    }),
    rewindTo: async (id, what) => {
      did.push(`${id}:${what}`);
      return { text: `prompt ${id}`, removedTurns: 1, files: { steps: [LEFT], undoIds: ['u1'] } };
    },
    canGoForward: false,
    forward: async () => {
      did.push('forward');
      return { steps: [], undoIds: [] };
    },
    ...changes,
    did,
  };
}

async function view(port: RewindPort, options: OpenOptions = {}) {
  const dialog = await openDialog(RewindViewer, { ...options, props: { port } });
  await dialog.shows(/Stay at current|▼/);
  return dialog;
}

describe('The prompts', () => {
  it('are listed oldest first with their files, the last one selected', async () => {
    const { lastFrame } = await view(fakePort([turn('a'), EDITING]));
    expect(lastFrame()).toMatch(/1\. prompt a[\s\S]*● 2\. prompt b[\s\S]*3\. Stay at current position/);
    expect(lastFrame()).toContain('1 file (a.ts) +5 -2');
    expect(lastFrame()).toContain('No files changed');
  });

  it('show line counts only where they are known', async () => {
    const byCommand = turn('a', { files: [{ path: '/p/a.ts' }], canRevert: true });
    const mixed = { ...EDITING, files: [...EDITING.files, { path: '/p/b.ts' }] };
    const { lastFrame } = await view(fakePort([byCommand, mixed]));
    expect(lastFrame()).toMatch(/1 file \(a\.ts\)\s/);
    expect(lastFrame()).not.toContain('+0 -0');
    expect(lastFrame()).toContain('2 files (a.ts, b.ts) +5 -2 by edits');
  });

  it('are opened with Right', async () => {
    const { press, lastFrame, shows } = await view(fakePort([EDITING]));
    await press(key('right'));
    await shows('> prompt b');
    expect(lastFrame()).toContain('an answer');
    expect(lastFrame()).toContain('Edit a.ts (success)');
    await press(key('escape'));
    await shows('Stay at current');
  });

  it('stay unchanged after Stay and Esc', async () => {
    const port = fakePort([EDITING]);
    const { press, closed } = await view(port);
    await press(key('2'), key('escape'));
    expect(closed).toEqual([undefined, undefined]);
    expect(port.did).toEqual([]);
  });

  it('are replaced by a note when nothing was said', async () => {
    const { lastFrame } = await view(fakePort([]));
    expect(lastFrame()).toContain('There is no prompt to go back to yet.');
  });
});

describe('Rewinding', () => {
  it.each([
    ['1', 'both', true],
    ['2', 'conversation', true],
    ['3', 'files', false],
  ])('with choice %s rewinds %s', async (digit, what, setsInput) => {
    const port = fakePort([EDITING]);
    const { press, closed, services, until } = await view(port);
    await press(key('enter'), key(digit));
    await until(() => closed.length > 0);
    expect(port.did).toEqual([`b:${what}`]);
    const inputs = services.calls.filter((call) => call.startsWith('setInput'));
    expect(inputs).toEqual(setsInput ? ['setInput:prompt b'] : []);
    expect(closed[0]).toMatchObject({ messageId: 'b', what });
  });

  it.each([1, 2, 3, 4, 5])(
    'marks the first action whichever prompt is chosen (number %i)',
    async (position) => {
      const turns = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ ...EDITING, messageId: id }));
      const { press, lastFrame } = await view(fakePort(turns));
      await press(key(String(position)));
      expect(lastFrame()).toContain('● 1. Rewind conversation and revert code changes');
      await press(key('escape'));
      expect(lastFrame()).toContain(`● ${position}. prompt b`);
    },
  );

  it('says how many prompts were rewound, and names the files that were not touched', async () => {
    const items: unknown[] = [];
    const services = { addItem: (item: unknown) => void items.push(item) };
    const { press, closed, until } = await view(fakePort([EDITING]), { services });
    await press(key('enter'), key('1'));
    await until(() => closed.length > 0);
    const said = JSON.stringify(items);
    expect(said).toContain('Rewound 1 prompt; the model has forgotten it.');
    expect(said).toMatch(/Skipped: .*mine\.ts \(changed-since\)/);
    expect(said).toContain('/undo u1');
  });

  it('undoes the last rewind where that is possible', async () => {
    const port = fakePort([turn('a')], { canGoForward: true });
    const { press, closed, until, lastFrame } = await view(port);
    expect(lastFrame()).toMatch(/1\. prompt a[\s\S]*2\. Undo the last rewind[\s\S]*3\. Stay at current/);
    await press(key('2'));
    await until(() => closed.length > 0);
    expect(port.did).toEqual(['forward']);
  });

  it('offers no files where none were changed', async () => {
    const { press, lastFrame } = await view(fakePort([turn('a')]));
    await press(key('1'));
    expect(lastFrame()).toMatch(/1\. Rewind conversation\s[\s\S]*2\. Cancel/);
    expect(lastFrame()).not.toContain('Revert');
  });

  it('shows the diff of what would change', async () => {
    const { press, shows, lastFrame } = await view(fakePort([EDITING]));
    await press(key('enter'), key('4'));
    await shows('will be restored');
    expect(lastFrame()).toMatch(/\+ old/);
    await press(key('escape'));
    await shows('Preview changes');
  });

  it('says why it did not work', async () => {
    const port = fakePort([EDITING], {
      rewindTo: async () => Promise.reject(new Error('Wait for the running request.')),
    });
    const { press, shows, closed } = await view(port);
    await press(key('enter'), key('1'));
    await shows('Wait for the running request.');
    expect(closed).toEqual([]);
  });
});

it('says that there is no conversation before the engine is up', async () => {
  const { shows, press, closed } = await openDialog(RewindViewer);
  await shows('There is no conversation yet.');
  await press(key('escape'));
  expect(closed).toEqual([undefined]);
});

it.each([
  [20, 5],
  [40, 10],
  [80, 24],
  [120, 24],
])('the dialog fits %i columns and %i rows, whatever was said', async (width, height) => {
  const turns = Array.from({ length: 300 }, (_, at) =>
    turn(String(at), {
      text: HOSTILE + 'x'.repeat(10_000),
      canRevert: true,
      files: [{ path: `/p/${HOSTILE}` }],
    }),
  );
  const port = fakePort(turns, {
    items: () => [
      { type: 'user', text: HOSTILE },
      { type: 'gemini', text: HOSTILE },
    ],
  });
  const { press, lastFrame, shows } = await view(port, { width, height });
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  await press(key('up'), key('right'));
  await shows('this turn');
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  await press(key('escape'), key('enter'));
  await shows('Back to before');
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
});
