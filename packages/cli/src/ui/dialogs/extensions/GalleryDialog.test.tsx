import type { GalleryEntry } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { key } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, openDialog } from '../open-dialog.test-helper.js';
import { GalleryDialog } from './GalleryDialog.js';
import type { GalleryPort } from './port.js';

const entry = (name: string, more: Partial<GalleryEntry> = {}): GalleryEntry => ({
  id: name,
  rank: 1,
  url: `https://github.com/acme/${name}`,
  fullName: `acme/${name}`,
  repoDescription: '',
  stars: 12,
  lastUpdated: '2026-01-01',
  extensionName: name,
  extensionVersion: '1.2.0',
  extensionDescription: `All about ${name}`,
  avatarUrl: '',
  hasMCP: true,
  hasContext: false,
  hasHooks: true,
  hasSkills: false,
  hasCustomCommands: false,
  isGoogleOwned: false,
  licenseKey: 'mit',
  ...more,
});
const portWith = (entries: GalleryEntry[], installed: string[] = []): GalleryPort => ({
  entries: async () => entries,
  installed: async () => new Set(installed),
});

it('shows the list, finds by typing, and closes with the address of what is to be installed', async () => {
  const port = portWith([entry('weather'), entry('maps'), entry('notes')], ['notes']);
  const { lastFrame, press, shows, closed, until } = await openDialog(GalleryDialog, { props: { port } });
  await shows('Extensions gallery · 3 of 3');
  expect(lastFrame()).toContain('● weather 1.2.0: acme/weather · 12 stars');
  expect(lastFrame()).toContain('notes 1.2.0: acme/notes · 12 stars · installed');
  for (const letter of 'maps') await press(key(letter));
  await shows('● maps 1.2.0');
  await press(key('enter'));
  await shows(/Extension maps[\s\S]*All about maps[\s\S]*Brings: MCP servers, hooks[\s\S]*Install/);
  await press(key('enter'));
  await until(() => closed.length === 1);
  expect(closed).toEqual(['https://github.com/acme/maps']);
});

it('does not offer to install what is installed; Esc goes back and then closes with nothing', async () => {
  const port = portWith([entry('notes')], ['notes']);
  const { lastFrame, press, shows, closed } = await openDialog(GalleryDialog, { props: { port } });
  await shows('notes 1.2.0');
  await press(key('enter'));
  await shows('Extension notes');
  expect(lastFrame()).not.toContain('1. Install');
  await press(key('escape'));
  await shows('1 of 1');
  await press(key('escape'));
  expect(closed).toEqual([undefined]);
});

it('says why the list cannot be read', async () => {
  const port: GalleryPort = {
    entries: async () => {
      throw new Error('The list of extensions cannot be read.');
    },
    installed: async () => new Set(),
  };
  const { shows } = await openDialog(GalleryDialog, { props: { port } });
  await shows('The list of extensions cannot be read.');
});

it.each([
  [20, 5],
  [40, 10],
  [120, 24],
])('fits %i columns and %i rows, whatever extensions are called', async (width, height) => {
  const hostile = entry(HOSTILE, { extensionDescription: HOSTILE, fullName: HOSTILE });
  const port = portWith(Array.from({ length: 30 }, () => hostile));
  const { lastFrame, press } = await openDialog(GalleryDialog, { props: { port }, width, height });
  await press(key('down'));
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  await press(key('enter'));
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
});
