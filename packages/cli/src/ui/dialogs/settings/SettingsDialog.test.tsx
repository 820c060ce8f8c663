import { describe, expect, it } from 'vitest';
import { key, pasted, typed } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, type OpenOptions, openDialog } from '../open-dialog.test-helper.js';
import { SettingsDialog } from './SettingsDialog.js';
import { type DialogSetting, matching, parseTyped } from './values.js';

async function openSettings(options: OpenOptions = {}) {
  const dialog = await openDialog(SettingsDialog, options);
  await dialog.shows(/Preferred Editor|Nothing matches|settings/i);
  await dialog.until(() => !dialog.lastFrame().includes('Nothing matches'));
  return dialog;
}

/** Searches for a setting and selects it. */
async function goTo(dialog: Awaited<ReturnType<typeof openSettings>>, words: string) {
  await dialog.press(key('/'), pasted(words), key('enter'));
}

describe('The list', () => {
  it('shows all settings with their values and describes the selected one', async () => {
    const { lastFrame } = await openSettings({ files: { user: { general: { preferredEditor: 'vim' } } } });
    expect(lastFrame()).toMatch(/● Preferred Editor \.+ vim\*/);
    expect(lastFrame()).toContain('general.preferredEditor: Editor in which');
    expect(lastFrame()).toContain('[User Settings]');
    expect(lastFrame()).toMatch(/▼ \d+ more/);
  });

  it('is searched by name, key and description', async () => {
    const dialog = await openSettings();
    await goTo(dialog, 'vim keys');
    expect(dialog.lastFrame()).toMatch(/Vim Mode \.+ false/);
    expect(dialog.lastFrame()).toContain('· 1 ─');
  });

  it('marks settings that another scope sets', async () => {
    const dialog = await openSettings({ files: { workspace: { general: { vimMode: true } } } });
    await goTo(dialog, 'general.vimMode');
    expect(dialog.lastFrame()).toMatch(/true \(set in Workspace\)/);
  });

  it('is searched by typing at once; Esc shows all again, and then closes', async () => {
    const dialog = await openSettings();
    await dialog.press(...typed('vim keys'));
    expect(dialog.lastFrame()).toMatch(/Search: vim keys/);
    expect(dialog.lastFrame()).toMatch(/Vim Mode \.+ false/);
    await dialog.press(key('escape'));
    expect(dialog.lastFrame()).toMatch(/● Preferred Editor/);
    expect(dialog.closed).toEqual([]);
    await dialog.press(key('escape'));
    expect(dialog.closed).toEqual([undefined]);
  });

  it('says when nothing matches', async () => {
    const dialog = await openSettings();
    await dialog.press(key('/'), ...typed('zzzz'));
    expect(dialog.lastFrame()).toContain('Nothing matches.');
    await dialog.press(key('enter'), key('enter'));
    expect(dialog.services.calls).toEqual([]);
  });
});

describe('Changing a setting', () => {
  it('toggles it with Enter and saves it to the file', async () => {
    const dialog = await openSettings();
    await goTo(dialog, 'general.vimMode');
    await dialog.press(key('enter'));
    await dialog.shows(/Vim Mode \.+ true\*/);
    expect(dialog.services.calls).toEqual(['changeSetting:user,general.vimMode,true']);
    expect(dialog.services.settings.file('user').raw).toEqual({ general: { vimMode: true } });
  });

  it('moves through the values of a choice with Enter', async () => {
    const dialog = await openSettings();
    await goTo(dialog, 'general.defaultApprovalMode');
    await dialog.press(key('enter'));
    await dialog.shows(/auto_edit\*/);
    await dialog.press(key('enter'));
    await dialog.shows(/plan\*/);
  });

  it('takes typed numbers and refuses other text in place', async () => {
    const dialog = await openSettings();
    await goTo(dialog, 'model.maxSessionTurns');
    await dialog.press(key('enter'), key('ctrl+u'), ...typed('many'), key('enter'));
    await dialog.shows('"many" is not a number.');
    await dialog.press(key('ctrl+u'), ...typed('7'), key('enter'));
    await dialog.shows(/7\*/);
    expect(dialog.services.calls).toEqual(['changeSetting:user,model.maxSessionTurns,7']);
  });

  it('resets it to the default with Ctrl+L', async () => {
    const dialog = await openSettings({ files: { user: { general: { vimMode: true } } } });
    await goTo(dialog, 'general.vimMode');
    await dialog.press(key('ctrl+l'));
    await dialog.shows(/Vim Mode \.+ false/);
    expect(dialog.services.settings.file('user').raw).toEqual({ general: {} });
  });

  it('writes to the workspace, but not to the system settings', async () => {
    const dialog = await openSettings();
    await goTo(dialog, 'general.vimMode');
    await dialog.press(key('tab'), key('tab'), key('right'));
    expect(dialog.lastFrame()).toContain('[Workspace Settings]');
    await dialog.press(key('tab'), key('enter'));
    await dialog.until(() => dialog.services.calls.length > 0);
    expect(dialog.services.calls).toEqual(['changeSetting:workspace,general.vimMode,true']);
    await dialog.press(key('shift+tab'), key('right'), key('tab'), key('enter'));
    await dialog.shows('cannot be changed here');
    expect(dialog.services.calls).toHaveLength(1);
  });

  it('says what needs a restart, and restarts with r', async () => {
    const entries: DialogSetting[] = [
      {
        key: 'general.vimMode',
        label: 'Vim',
        section: 'general',
        description: 'd',
        kind: 'boolean',
        default: false,
        values: [],
        needsRestart: true,
        isUserOnly: false,
      },
    ];
    const dialog = await openDialog(SettingsDialog, { props: { entries } });
    // A letter like any other, until there is something to restart for.
    await dialog.press(key('r'));
    expect(dialog.services.calls).toEqual([]);
    await dialog.press(key('escape'), key('enter'));
    await dialog.shows('Press r to restart');
    await dialog.press(key('r'));
    await dialog.until(() => dialog.services.calls.includes('restartEngine:'));
  });

  it('says what cannot be written', async () => {
    const dialog = await openSettings({
      services: {
        changeSetting: async () => {
          throw new Error('Failed to save settings: disk full');
        },
      },
    });
    await dialog.press(key('enter'));
    await dialog.shows('disk full');
  });

  it('cancels the typed text with Esc, then closes', async () => {
    const dialog = await openSettings();
    await goTo(dialog, 'ui.theme');
    await dialog.press(key('enter'), pasted('Other'), key('escape'));
    expect(dialog.services.calls).toEqual([]);
    expect(dialog.closed).toEqual([]);
    await dialog.press(key('escape'));
    expect(dialog.closed).toEqual([undefined]);
  });
});

it('typed values are parsed by the type of the setting', () => {
  const entry = (kind: DialogSetting['kind']): DialogSetting => ({
    key: 'a.b',
    label: 'B',
    section: 'a',
    description: '',
    kind,
    default: undefined,
    values: [],
    minimum: 1,
    needsRestart: false,
    isUserOnly: false,
  });
  expect(parseTyped(entry('array'), ' a, b ,, c ')).toEqual({ value: ['a', 'b', 'c'] });
  expect(parseTyped(entry('number'), '0')).toEqual({ problem: 'At least 1.' });
  expect(parseTyped(entry('string'), '  ')).toEqual({ value: undefined });
  expect(matching([entry('string')], 'B a.')).toHaveLength(1);
});

it.each([
  [40, 10],
  [80, 24],
  [120, 24],
])('the dialog fits %i columns and %i rows, whatever the files contain', async (width, height) => {
  const dialog = await openSettings({
    width,
    height,
    files: { user: { ui: { theme: HOSTILE.repeat(1000) } } },
  });
  expect(flawsOf(dialog.lastFrame(), width, height)).toEqual([]);
  await goTo(dialog, 'ui.theme');
  expect(dialog.lastFrame()).toContain('evil');
  expect(flawsOf(dialog.lastFrame(), width, height)).toEqual([]);
  await dialog.press(key('enter'));
  expect(flawsOf(dialog.lastFrame(), width, height)).toEqual([]);
});

it('a screen reader gets only words', async () => {
  const { lastFrame } = await openSettings({ screenReader: true });
  expect(lastFrame()).not.toMatch(/[╭╮│╰╯●▼]/);
  expect(lastFrame()).toContain('Preferred Editor: not set, selected');
  expect(lastFrame()).toContain('Scope 1 of 3: User Settings');
});
