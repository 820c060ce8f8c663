import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionInfo } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { key, typed } from '../../testing/keys.test-helper.js';
import { openDialog } from '../open-dialog.test-helper.js';
import type { SessionPort } from './port.js';
import { SessionBrowserDialog } from './SessionBrowserDialog.js';

const NOW = Date.parse('2026-11-15T12:00:00Z');

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

it('the browser works on recorded sessions', async () => {
  const probe = await openDialog(SessionBrowserDialog, { props: { port: fakePort([]) } });
  const { loadSessions, storageOf } = await import('@gemini-cli/core');
  const { cwd, env } = probe.services;
  const { sessionPlaces } = await loadSessions();
  const { chatsDir } = sessionPlaces(storageOf(env, cwd));
  mkdirSync(chatsDir, { recursive: true });
  const id = '11111111-2222-4333-8444-555555555555';
  const time = '2026-11-15T10:00:00.000Z';
  const message = (type: string, content: string, number: number) => ({
    id: `m${number}`,
    timestamp: time,
    type,
    content,
  });
  const record = {
    sessionId: id,
    projectHash: 'h',
    startTime: time,
    lastUpdated: time,
    messages: [message('user', 'find the needle', 1), message('gemini', 'It is **here**.', 2)],
  };
  writeFileSync(join(chatsDir, 'session-2026-11-15T10-00-11111111.json'), JSON.stringify(record));
  const dialog = await openDialog(SessionBrowserDialog, { services: { cwd, env } });
  await dialog.shows('find the needle');
  await dialog.press(key('/'), ...typed('needle'), key('enter'));
  await dialog.shows('[needle]');
  await dialog.press(key('p'));
  await dialog.shows('It is **here**.');
  await dialog.press(key('escape'), key('e'), key('ctrl+u'), ...typed('out.md'), key('enter'));
  await dialog.shows('Written to out.md');
  expect(readFileSync(join(cwd, 'out.md'), 'utf8')).toContain('needle');
  await dialog.press(key('x'), key('2'));
  await dialog.shows('Deleted.');
});
