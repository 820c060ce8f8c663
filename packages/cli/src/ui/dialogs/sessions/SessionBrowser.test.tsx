import type { SessionInfo } from '@gemini-cli/core';
import { describe, expect, it } from 'vitest';
import { key, typed } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, type OpenOptions, openDialog } from '../open-dialog.test-helper.js';
import type { SessionPort } from './port.js';
import { SessionBrowserDialog } from './SessionBrowserDialog.js';

const NOW = Date.parse('2026-11-15T12:00:00Z');

function session(index: number, changes: Partial<SessionInfo> = {}): SessionInfo {
  const lastUpdated = new Date(NOW - index * 86_400_000).toISOString();
  return {
    id: `id-${index}-abcdef`,
    file: `session-${index}`,
    fileName: `session-${index}.jsonl`,
    path: `/chats/session-${index}.jsonl`,
    startTime: lastUpdated,
    lastUpdated,
    messageCount: index * 10,
    userMessageCount: index,
    displayName: `Talk ${index}`,
    firstUserMessage: `Talk ${index}`,
    isCurrentSession: false,
    index,
    hasUserOrAssistantMessage: true,
    ...changes,
  };
}

interface FakePort extends SessionPort {
  did: string[];
}

function fakePort(sessions: SessionInfo[], changes: Partial<SessionPort> = {}): FakePort {
  const did: string[] = [];
  let list = sessions;
  return {
    list: async () => list,
    search: async (words) => [
      {
        ...sessions[0],
        matchSnippets: [{ before: 'some ', match: words, after: ' here', role: 'user' }],
      } as SessionInfo,
    ],
    preview: async () => ({
      summary: 'About things',
      messages: [
        { who: 'You', text: 'hello' },
        { who: 'Model', text: 'hi there' },
      ],
    }),
    rename: async ({ id }, name) => {
      did.push(`rename:${id}:${name}`);
      list = list.map((entry) => (entry.id === id ? { ...entry, displayName: name } : entry));
      return name;
    },
    export: async ({ id }, file) => {
      did.push(`export:${id}:${file}`);
      return file;
    },
    remove: async ({ id }) => {
      did.push(`remove:${id}`);
      list = list.filter((entry) => entry.id !== id);
    },
    age: (time) => `${Math.round((NOW - Date.parse(time)) / 86_400_000)} days ago`,
    now: () => NOW,
    ...changes,
    did,
  };
}

const THREE = [
  session(1),
  session(2, { displayName: 'Alpha', messageCount: 500 }),
  session(3, { isCurrentSession: true }),
];

async function browse(port: SessionPort, options: OpenOptions = {}) {
  const dialog = await openDialog(SessionBrowserDialog, { ...options, props: { port } });
  await dialog.shows(/sort: |no sessions/);
  return dialog;
}

const names = (frame: string) => [...frame.matchAll(/Talk \d+|Alpha/g)].map(([name]) => name);

describe('The list', () => {
  it('shows index, messages, age and name, newest first', async () => {
    const { lastFrame } = await browse(fakePort(THREE));
    expect(lastFrame()).toContain('3 of 3 · sort: date');
    expect(lastFrame()).toMatch(/●\s+1\s+10 msgs\s+1 days ago {2}Talk 1/);
    expect(lastFrame()).toContain('Talk 3 (current)');
    expect(names(lastFrame())).toEqual(['Talk 1', 'Alpha', 'Talk 3']);
  });

  it('marks the current session, however long its name is', async () => {
    const long = session(1, { isCurrentSession: true, displayName: 'a long name '.repeat(40) });
    const { lastFrame } = await browse(fakePort([long]));
    expect(lastFrame()).toContain('… (current)');
  });

  it('is sorted with s and reversed with r', async () => {
    const { press, lastFrame } = await browse(fakePort(THREE));
    await press(key('s'));
    expect(names(lastFrame())).toEqual(['Alpha', 'Talk 3', 'Talk 1']);
    await press(key('s'));
    expect(names(lastFrame())).toEqual(['Alpha', 'Talk 1', 'Talk 3']);
    await press(key('r'));
    expect(names(lastFrame())).toEqual(['Talk 3', 'Talk 1', 'Alpha']);
  });

  it('is limited to a period with f', async () => {
    const { press, lastFrame } = await browse(fakePort([session(1), session(20), session(90)]));
    await press(key('f'), key('f'));
    expect(lastFrame()).toContain('1 of 3');
    expect(lastFrame()).toContain('period: week');
    await press(key('f'));
    expect(names(lastFrame())).toEqual(['Talk 1', 'Talk 20']);
  });

  it('moves by pages, halves and to the ends', async () => {
    const many = Array.from({ length: 200 }, (_, at) => session(at + 1));
    const { press, lastFrame } = await browse(fakePort(many));
    await press(key('G'));
    expect(lastFrame()).toMatch(/● 200/);
    await press(key('g'));
    expect(lastFrame()).toMatch(/●\s+1 /);
    await press(key('d'), key('pagedown'), key('u'), key('pageup'), key('up'));
    expect(lastFrame()).toMatch(/●\s+1 /);
  });

  it('says that there are no sessions', async () => {
    const { lastFrame, press, closed } = await browse(fakePort([]));
    expect(lastFrame()).toContain('There are no sessions.');
    await press(key('enter'), key('x'), key('q'));
    expect(closed).toEqual([undefined]);
  });
});

describe('For the selected session', () => {
  it('Enter resumes it', async () => {
    const { press, services, closed, until } = await browse(fakePort(THREE));
    await press(key('j'), key('enter'));
    await until(() => closed.length > 0);
    expect(services.calls).toEqual(['resumeSession:id-2-abcdef']);
  });

  it('the current one is neither resumed nor deleted', async () => {
    const port = fakePort(THREE);
    const { press, services, lastFrame } = await browse(port);
    await press(key('G'), key('enter'));
    expect(lastFrame()).toContain('cannot be resumed');
    await press(key('x'));
    expect(lastFrame()).toContain('cannot be deleted');
    expect(services.calls).toEqual([]);
    expect(port.did).toEqual([]);
  });

  it('x asks before it deletes, and no is the first answer', async () => {
    const port = fakePort(THREE);
    const { press, shows, lastFrame } = await browse(port);
    await press(key('x'));
    expect(lastFrame()).toContain('Delete this session?');
    await press(key('enter'));
    expect(port.did).toEqual([]);
    await press(key('x'), key('2'));
    await shows('Deleted.');
    expect(port.did).toEqual(['remove:id-1-abcdef']);
    expect(lastFrame()).toContain('2 of 2');
  });

  it('n renames it', async () => {
    const port = fakePort(THREE);
    const { press, shows } = await browse(port);
    await press(key('n'), key('ctrl+u'), ...typed('New name'), key('enter'));
    await shows('Renamed to: New name');
    expect(port.did).toEqual(['rename:id-1-abcdef:New name']);
  });

  it('e exports it, and a failure is shown', async () => {
    const port = fakePort(THREE);
    const { press, shows, lastFrame } = await browse(port);
    await press(key('e'));
    expect(lastFrame()).toContain('session-id-1-abc.md');
    await press(key('enter'));
    await shows('Written to session-id-1-abc.md');
    const failing = await browse(
      fakePort(THREE, { export: async () => Promise.reject(new Error('x.md exists already.')) }),
    );
    await failing.press(key('e'), key('enter'));
    await failing.shows('exists already');
  });

  it('p shows dates, summary and last messages', async () => {
    const { press, shows, lastFrame } = await browse(fakePort(THREE));
    await press(key('p'));
    await shows('hi there');
    for (const text of ['10 messages', 'Summary: About things', 'You:', 'id-1-abcdef'])
      expect(lastFrame()).toContain(text);
    await press(key('escape'));
    expect(lastFrame()).toContain('sort: date');
  });

  it('/ searches the contents, with the places found', async () => {
    const { press, shows, lastFrame } = await browse(fakePort(THREE));
    await press(key('/'), ...typed('xs needle'), key('enter'));
    await shows('… some [xs needle] here');
    expect(lastFrame()).toContain('found: xs needle');
    await press(key('x'), key('2'));
    await shows('Nothing was found.');
    await press(key('/'), key('ctrl+u'), key('enter'));
    await shows('2 of 2');
  });
});

it.each([
  [20, 5],
  [40, 10],
  [80, 24],
  [120, 24],
])('the browser fits %i columns and %i rows, whatever the sessions contain', async (width, height) => {
  const hostile = session(1, { displayName: HOSTILE + 'x'.repeat(1_000_000), summary: HOSTILE });
  const port = fakePort([hostile, session(2)], {
    preview: async () => ({ summary: HOSTILE, messages: [{ who: 'You', text: HOSTILE }] }),
  });
  const { press, lastFrame, shows } = await browse(port, { width, height });
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  for (const [chord, text] of [
    ['n', 'New name'],
    ['escape', 'sort'],
    ['x', 'Delete this'],
    ['escape', 'sort'],
    ['p', 'started'],
  ] as const) {
    await press(key(chord));
    await shows(text);
    expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  }
});

it('a screen reader gets only words', async () => {
  const { lastFrame } = await browse(fakePort(THREE), { screenReader: true });
  expect(lastFrame()).not.toMatch(/[╭╮│╰╯●]/);
  expect(lastFrame()).toContain('1. Talk 1, 10 messages, 1 days ago, selected');
});
