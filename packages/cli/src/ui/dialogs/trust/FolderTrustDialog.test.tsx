import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DiscoveryResults } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { key, typed } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, openDialog } from '../open-dialog.test-helper.js';
import { FolderTrustDialog } from './FolderTrustDialog.js';

const NOTHING: DiscoveryResults = {
  commands: [],
  mcps: [],
  hooks: [],
  skills: [],
  agents: [],
  settings: [],
  contextFiles: [],
  policies: [],
  loadedPolicies: [],
  envFiles: [],
  extensions: [],
  securityWarnings: [],
  discoveryErrors: [],
  problems: [],
};
const FOUND: DiscoveryResults = {
  ...NOTHING,
  commands: ['git:commit', 'deploy'],
  mcps: ['db: npx db-server'],
  hooks: ['BeforeTool: ./check.sh'],
  securityWarnings: ['A hook runs a program of this folder.'],
  discoveryErrors: ['.gemini/settings.json cannot be read.'],
};
const discover = async () => FOUND;

it('the dialog names what trust would load, warnings and errors first', async () => {
  const { shows, lastFrame } = await openDialog(FolderTrustDialog, { props: { discover }, height: 40 });
  await shows('Commands (2)');
  const frame = lastFrame();
  for (const text of [
    'git:commit',
    'MCP Servers (1)',
    'Hooks (1)',
    '⚠️ A hook runs',
    '❌ .gemini/settings.json',
  ])
    expect(frame).toContain(text);
  expect(frame.indexOf('⚠️')).toBeLessThan(frame.indexOf('Commands (2)'));
  expect(frame).toContain('Trust folder (project)');
  expect(frame).toMatch(/Trust parent folder \(dialogs-/);
  expect(frame).toContain("Don't trust");
});

it.each([
  ['1', 'TRUST_FOLDER'],
  ['2', 'TRUST_PARENT'],
  ['3', 'DO_NOT_TRUST'],
])('digit %s answers %s', async (digit, level) => {
  const { press, services, closed } = await openDialog(FolderTrustDialog, { props: { discover } });
  await press(key(digit));
  expect(services.calls).toEqual([`setTrust:${level}`]);
  expect(closed).toEqual([level]);
});

it('the question can be answered before the folder has been read', async () => {
  const never = () => new Promise<DiscoveryResults>(() => {});
  const { press, closed, lastFrame } = await openDialog(FolderTrustDialog, { props: { discover: never } });
  expect(lastFrame()).toContain('Looking at what is here');
  await press(key('enter'));
  expect(closed).toEqual(['TRUST_FOLDER']);
});

it('Esc quits the program and saves nothing; stray letters do nothing', async () => {
  const { press, services, closed } = await openDialog(FolderTrustDialog, { props: { discover } });
  await press(...typed('ytx'));
  expect(services.calls).toEqual([]);
  await press(key('escape'));
  expect(services.calls).toEqual(['quit:']);
  expect(closed).toEqual([]);
});

it('a failed save is reported, and the question can be answered again', async () => {
  const { press, shows, closed } = await openDialog(FolderTrustDialog, {
    props: { discover },
    services: { setTrust: async () => 'Failed to save trusted folders: disk full' },
  });
  await press(key('enter'));
  await shows('disk full');
  expect(closed).toEqual([]);
});

it('the contents of a real folder are found', async () => {
  const dialog = await openDialog(FolderTrustDialog, { height: 40, props: { discover: undefined } });
  // The first read saw an empty folder; a new dialog sees its contents now.
  await dialog.shows('none of these');
  const { cwd } = dialog.services;
  mkdirSync(join(cwd, '.gemini/commands'), { recursive: true });
  writeFileSync(join(cwd, '.gemini/commands/hello.toml'), 'prompt = "hi"\n');
  const again = await openDialog(FolderTrustDialog, { height: 40, services: { cwd } });
  await again.shows('Commands (1)');
  expect(again.lastFrame()).toContain('hello');
  dialog.services.remove();
});

it.each([
  [40, 10],
  [80, 24],
  [120, 24],
])('the dialog fits %i columns and %i rows, whatever the folder contains', async (width, height) => {
  const many = Array.from({ length: 500 }, (_, at) => `${HOSTILE} ${at}`);
  const hostile = { ...FOUND, commands: many, mcps: ['x'.repeat(1_000_000)], securityWarnings: [HOSTILE] };
  const { shows, lastFrame, press } = await openDialog(FolderTrustDialog, {
    width,
    height,
    props: { discover: async () => hostile },
  });
  await shows(/more lines/);
  for (let page = 0; page < 3; page++) {
    expect(flawsOf(lastFrame(), width, height)).toEqual([]);
    await press(key('pagedown'));
  }
  expect(lastFrame()).toContain('Trust folder');
});

it('a screen reader gets only words', async () => {
  const { shows, lastFrame } = await openDialog(FolderTrustDialog, {
    props: { discover },
    screenReader: true,
    height: 40,
  });
  await shows('Commands (2)');
  expect(lastFrame()).not.toMatch(/[╭╮│╰╯●⚠❌]/);
  expect(lastFrame()).toContain('Warning: A hook runs');
  expect(lastFrame()).toContain('1. Trust folder (project), selected');
});
