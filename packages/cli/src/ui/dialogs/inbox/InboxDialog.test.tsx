import { readFileSync, writeFileSync } from 'node:fs';
import type { InboxGroup, InboxItem, InboxOutcome } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { key } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, openDialog } from '../open-dialog.test-helper.js';
import type { InboxPort } from './carry-out.js';
import { InboxDialog } from './InboxDialog.js';

const item = (id: string, changes: Partial<InboxItem> = {}): InboxItem => ({
  id,
  title: `${id} [user]`,
  subtitle: 'GEMINI.md · 2026-11-15',
  date: '2026-11-15T10:00:00Z',
  files: ['/h/GEMINI.md'],
  preview: '@@ -1,1 +1,2 @@\n a\n+a new fact\n',
  isDiff: true,
  actions: ['apply', 'edit', 'dismiss'],
  editableText: 'raw',
  version: 'v1',
  ...changes,
});
const SKILL = item('skill', {
  isDiff: false,
  preview: '# Skill\nDo this.',
  actions: ['promote_user', 'promote_workspace', 'edit', 'dismiss'],
});

function fakePort(groups: InboxGroup[], outcome: Partial<InboxOutcome> = {}) {
  const did: string[] = [];
  let left = groups;
  const act = (name: string) => async (id: string, extra?: string) => {
    did.push(`${name}:${id}:${extra}`);
    if (outcome.ok !== false)
      left = left
        .map(({ title, items }) => ({ title, items: items.filter((entry) => entry.id !== id) }))
        .filter(({ items }) => items.length > 0);
    return { ok: true, message: `${name} done`, ...outcome };
  };
  const port: InboxPort = {
    list: async () => left,
    apply: act('apply'),
    promoteSkill: act('promote'),
    dismiss: act('dismiss'),
    edit: act('edit'),
  };
  return { port, did };
}

const GROUPS: InboxGroup[] = [
  { title: 'New Skills', items: [SKILL] },
  { title: 'Memory Updates', items: [item('fact')] },
];

it('suggestions are listed by group, shown and applied', async () => {
  const { port, did } = fakePort(GROUPS);
  const { shows, press, lastFrame } = await openDialog(InboxDialog, { props: { port } });
  await shows(/1\. New Skills: skill \[user\][\s\S]*2\. Memory Updates: fact \[user\]/);
  await press(key('2'));
  await shows('a new fact');
  expect(lastFrame()).toContain('GEMINI.md · 2026-11-15');
  expect(lastFrame()).toMatch(/1\. Apply[\s\S]*2\. Edit[\s\S]*3\. Dismiss/);
  await press(key('1'));
  await shows('apply done');
  expect(did).toEqual(['apply:fact:v1']);
  expect(lastFrame()).not.toContain('Memory Updates');
});

it.each([
  ['1', 'promote:skill:user'],
  ['2', 'promote:skill:workspace'],
  ['4', 'dismiss:skill:v1'],
])('for a new skill, choice %s does %s', async (digit, call) => {
  const { port, did } = fakePort(GROUPS);
  const { shows, press } = await openDialog(InboxDialog, { props: { port } });
  await shows('New Skills');
  await press(key('1'));
  await shows('Move to Global');
  await press(key(digit));
  await shows('done');
  expect(did).toEqual([call]);
});

it('Esc returns from a suggestion to its place in the list', async () => {
  const { port } = fakePort(GROUPS);
  const { shows, press } = await openDialog(InboxDialog, { props: { port } });
  await shows('New Skills');
  await press(key('2'));
  await shows('a new fact');
  await press(key('escape'));
  await shows('● 2. Memory Updates: fact');
});

it('a suggestion opens in the editor, and unchanged text does nothing', async () => {
  const { port, did } = fakePort(GROUPS);
  const texts = ['raw', 'changed'];
  const openEditor = async (path: string) => {
    expect(readFileSync(path, 'utf8')).toBe('raw');
    writeFileSync(path, texts.shift() ?? '');
  };
  const { shows, press, until, lastFrame } = await openDialog(InboxDialog, {
    props: { port },
    services: { openEditor },
  });
  await shows('New Skills');
  await press(key('2'));
  await shows('Edit');
  await press(key('2'));
  await until(() => texts.length === 1);
  await press(key('2'));
  await until(() => did.length > 0);
  expect(did).toEqual(['edit:fact:changed']);
  expect(lastFrame()).toBeTruthy();
});

it('a failed editor start is reported', async () => {
  const { port, did } = fakePort(GROUPS);
  const openEditor = () => Promise.reject(new Error('No editor was found.'));
  const { shows, press } = await openDialog(InboxDialog, { props: { port }, services: { openEditor } });
  await shows('New Skills');
  await press(key('2'), key('2'));
  await shows('No editor was found.');
  expect(did).toEqual([]);
});

it('an invalid suggestion is marked in the list', async () => {
  const items = [item('good'), item('bad', { problem: 'This suggestion cannot be applied: no.' })];
  const { port } = fakePort([{ title: 'Memory Updates', items }]);
  const { shows, lastFrame } = await openDialog(InboxDialog, { props: { port } });
  await shows('Memory Updates');
  expect(lastFrame().match(/invalid · /g)).toHaveLength(1);
});

it('a refused action is reported and keeps the suggestion', async () => {
  const { port } = fakePort(GROUPS, { ok: false, message: 'The suggestion has changed since it was shown.' });
  const { shows, press, lastFrame } = await openDialog(InboxDialog, { props: { port } });
  await shows('New Skills');
  await press(key('2'));
  await shows('Apply');
  await press(key('1'));
  await shows('has changed since');
  expect(lastFrame()).toContain('a new fact');
});

it('the dialog says when the inbox is empty or not known yet', async () => {
  const empty = await openDialog(InboxDialog, { props: { port: fakePort([]).port } });
  await empty.shows('The inbox is empty.');
  const early = await openDialog(InboxDialog);
  await early.shows('not known before');
});

it.each([
  [20, 5],
  [40, 10],
  [120, 24],
])('the dialog fits %i columns and %i rows', async (width, height) => {
  const bad = item('x', {
    title: HOSTILE,
    subtitle: HOSTILE,
    preview: `${HOSTILE}\n`.repeat(500),
    isDiff: false,
    problem: HOSTILE,
  });
  const { shows, press, lastFrame } = await openDialog(InboxDialog, {
    width,
    height,
    props: { port: fakePort([{ title: 'New Skills', items: [bad] }]).port },
  });
  await shows('evil');
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  await press(key('1'));
  await shows('Apply');
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
});
