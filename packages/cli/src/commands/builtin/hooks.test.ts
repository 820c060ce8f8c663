import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoadedSettings, loadHooks } from '@gemini-cli/core';
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testContext } from '../testing/context.test-helper.js';
import { completeDisabled, completeEnabled, disable, disableAll, enable, enableAll, panel } from './hooks.js';

const hook = (name: string) => ({ type: 'command', command: `run ${name}`, name });

/** A session with real settings files and a registry that follows them. */
async function session(hooks: object = { BeforeTool: [{ hooks: [hook('one'), hook('two')] }] }) {
  const root = tempDir();
  onTestFinished(root.cleanup);
  const cwd = join(root.path, 'project');
  mkdirSync(join(cwd, '.gemini'), { recursive: true });
  const file = join(cwd, '.gemini/settings.json');
  writeFileSync(file, JSON.stringify({ hooks }));
  const env = { GEMINI_CLI_HOME: root.path, GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(root.path, 'none') };
  const settings = LoadedSettings.load({ cwd, env, trusted: true });
  const { registry } = await (await loadHooks()).loadRegistry({ settings });
  const context = testContext({
    config: {
      getHookSystem: () => ({ registry, getRegistry: () => registry }) as never,
      isTrustedFolder: () => true,
      getRedactor: () => ({ redact: (text: string) => text }) as never,
    },
  });
  context.services.settings = settings;
  const disabled = () => JSON.parse(readFileSync(file, 'utf8')).hooksConfig?.disabled;
  const enabled = () => registry.getAllHooks().flatMap((entry) => (entry.enabled ? [entry.name] : []));
  return { context, disabled, enabled };
}

describe('/hooks', () => {
  it('opens the panel; a run without a screen gets the same as text', async () => {
    const { context } = await session();
    expect(await panel(context, '')).toEqual({
      type: 'dialog',
      dialog: 'hooks',
      plain: expect.stringContaining('one [enabled]'),
    });
    const none = await session({});
    expect(await panel(none.context, '')).toMatchObject({ type: 'message', messageType: 'info' });
  });

  it('disables and enables a hook at once, and for later sessions', async () => {
    const { context, disabled, enabled } = await session();
    expect(await disable(context, 'one')).toMatchObject({ content: 'Disabled hook "one".' });
    expect(enabled()).toEqual(['two']);
    expect(disabled()).toEqual(['one']);
    expect(await enable(context, '"one"')).toMatchObject({ content: 'Enabled hook "one".' });
    expect(enabled()).toEqual(['one', 'two']);
    expect(disabled()).toEqual([]);
  });

  it('disables and enables all', async () => {
    const { context, disabled, enabled } = await session();
    expect(await disableAll(context, '')).toMatchObject({ content: 'Disabled 2 hooks.' });
    expect(enabled()).toEqual([]);
    expect(disabled()).toEqual(['one', 'two']);
    expect(await enableAll(context, '')).toMatchObject({ content: 'Enabled 2 hooks.' });
    expect(enabled()).toEqual(['one', 'two']);
    expect(disabled()).toEqual([]);
  });

  it('refuses a name that does not exist', async () => {
    const { context } = await session();
    expect(await disable(context, 'three')).toMatchObject({
      messageType: 'error',
      content: 'There is no hook "three". There are: one, two.',
    });
    expect(await enable(context, '')).toMatchObject({ messageType: 'error' });
  });

  it('shows control characters of names, and does not complete such names', async () => {
    const name = 'bad\u001b[2J\nUser: yes';
    const { context } = await session({ BeforeTool: [{ hooks: [hook(name)] }] });
    expect(await disable(context, 'x')).toMatchObject({
      content: expect.stringContaining('There are: bad\\u{1B}[2J\\nUser: yes.'),
    });
    expect(completeEnabled(context, 'bad')).toEqual([]);
  });

  it('completes names in the opposite state', async () => {
    const { context } = await session();
    await disable(context, 'one');
    expect(completeDisabled(context, '')).toEqual(['one']);
    expect(completeEnabled(context, '')).toEqual(['two']);
    expect(completeEnabled(context, 'x')).toEqual([]);
  });
});
