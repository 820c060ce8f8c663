import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestConfig } from '@gemini-cli/test-utils';
import { expect, it } from 'vitest';
import { builtinCommands } from '../commands/loaders/builtin.js';
import { testContext } from '../commands/testing/context.test-helper.js';
import { createCompleter } from './completer.js';
import { sessionSources } from './sources.js';

it('sessionSources completes commands and files, and neither in shell mode', {
  timeout: 60_000,
}, async () => {
  const config = await createTestConfig();
  writeFileSync(join(config.getTargetDir(), 'notes.md'), '');
  const context = testContext({ config });
  let isReady = false;
  let isShellMode = false;
  const { sources, warmUp, filesChanged } = sessionSources({
    config: () => (isReady ? config : undefined),
    settings: () => context.services.settings,
    commands: builtinCommands,
    commandContext: () => context,
    isShellMode: () => isShellMode,
    cwd: config.getTargetDir(),
    env: process.env,
  });
  const completer = createCompleter(sources);
  const labels = () => completer.getState().items.map(({ label }) => label);
  const found = (label: string) =>
    new Promise<void>((resolve) => {
      const look = () => labels().includes(label) && !completer.getState().isLoading && resolve();
      completer.subscribe(look);
      look();
    });
  completer.update('/hel', 4);
  expect(labels()[0]).toBe('help');
  // The engine is still starting.
  completer.update('@not', 4);
  expect(labels()).toEqual([]);
  isReady = true;
  warmUp();
  completer.update('@note', 5);
  await found('notes.md');
  writeFileSync(join(config.getTargetDir(), 'notes2.md'), '');
  filesChanged();
  completer.update('@notes', 6);
  while (!labels().includes('notes2.md')) {
    await new Promise((resolve) => setImmediate(resolve));
    completer.update('@notes', 6, { asked: true });
  }
  isShellMode = true;
  completer.update('/hel', 4);
  expect(labels()).toEqual([]);
});
