/** Which project hooks the user is told about. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import type { HookRegistryEntry } from '../registry.js';
import { ConfigSource, HookEventName } from '../types.js';
import { TrustedHooks } from './trusted-hooks.js';

function place(): string {
  const { path, cleanup } = tempDir();
  onTestFinished(cleanup);
  return path;
}

const entry = (command: string, more: Partial<HookRegistryEntry> = {}): HookRegistryEntry => ({
  config: { type: 'command', command },
  source: ConfigSource.Project,
  eventName: HookEventName.BeforeTool,
  enabled: true,
  name: command,
  ...more,
});
const names = (entries: readonly HookRegistryEntry[]) => entries.map(({ name }) => name);

it('tells each project hook once, per project and command', async () => {
  const dir = place();
  const first = TrustedHooks.in(dir, '/p');
  expect(names(await first.takeNew([entry('a'), entry('b'), entry('a')]))).toEqual(['a', 'b']);
  expect(await first.takeNew([entry('a'), entry('b')])).toEqual([]);
  const later = TrustedHooks.in(dir, '/p');
  expect(names(await later.takeNew([entry('a'), entry('c')]))).toEqual(['c']);
  expect(names(await TrustedHooks.in(dir, '/other').takeNew([entry('a')]))).toEqual(['a']);
  const file = join(dir, 'trusted_hooks.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ '/p': [':a', ':b', ':c'], '/other': [':a'] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('tells nothing of other sources and disabled hooks', async () => {
  const hooks = TrustedHooks.in(place(), '/p');
  const others = [entry('u', { source: ConfigSource.User }), entry('d', { enabled: false })];
  expect(await hooks.takeNew(others)).toEqual([]);
});

it.each(['{', '[]', '{"/p": 5}'])('survives a file with %s', async (content) => {
  const dir = place();
  const file = join(dir, 'trusted_hooks.json');
  writeFileSync(file, content);
  expect(names(await TrustedHooks.in(dir, '/p').takeNew([entry('a')]))).toEqual(['a']);
  const isDamaged = content !== '{"/p": 5}';
  // A damaged file is left as it is.
  expect(readFileSync(file, 'utf8') === content).toBe(isDamaged);
});
