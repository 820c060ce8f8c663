import { expect, it } from 'vitest';
import { key } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, openDialog } from '../open-dialog.test-helper.js';
import { ThemeDialog } from './ThemeDialog.js';
import { themeItems } from './themes.js';

const THEMES = [
  { name: 'Default Light', type: 'light' },
  { name: 'Default', type: 'dark' },
  { name: 'Dracula', type: 'dark' },
];

it('dark themes are listed first, with a preview beside', async () => {
  const { lastFrame } = await openDialog(ThemeDialog, {
    props: { themes: THEMES },
    files: { user: { ui: { theme: 'Dracula' } } },
  });
  expect(lastFrame()).toMatch(/1\. Default \(dark\)[\s\S]*● 2\. Dracula \(dark\)[\s\S]*3\. Default Light /);
  expect(lastFrame()).toContain('def count');
  expect(lastFrame()).toContain('Hello, {name}!');
});

it('each selected theme is previewed, and Esc restores the old one', async () => {
  const { press, services, closed } = await openDialog(ThemeDialog, {
    props: { themes: THEMES },
    files: { user: { ui: { theme: 'Default' } } },
  });
  await press(key('down'), key('down'), key('escape'));
  expect(services.calls).toEqual([
    'previewTheme:Dracula',
    'previewTheme:Default Light',
    'previewTheme:undefined',
  ]);
  expect(closed).toEqual([undefined]);
});

it('the choice is saved to the scope that Tab selects', async () => {
  const { press, services, closed, until, shows } = await openDialog(ThemeDialog, {
    props: { themes: THEMES },
  });
  await press(key('tab'));
  await shows('Workspace Settings');
  await press(key('2'));
  await until(() => closed.length > 0);
  expect(services.calls).toContain('changeSetting:workspace,ui.theme,Dracula');
  expect(closed).toEqual(['Dracula']);
});

it('built-in themes and those of the settings are found', async () => {
  const { shows, lastFrame } = await openDialog(ThemeDialog, {
    files: { user: { ui: { customThemes: { Mine: { type: 'custom', name: 'Mine' } } } } },
    height: 40,
  });
  await shows('Default');
  expect(lastFrame()).toContain('Mine (custom)');
});

it.each([
  [40, 10],
  [80, 10],
  [120, 24],
])('the dialog fits %i columns and %i rows', async (width, height) => {
  const themes = Array.from({ length: 40 }, (_, at) => ({ name: `${HOSTILE}${at}`, type: 'custom' }));
  const { lastFrame, press } = await openDialog(ThemeDialog, { width, height, props: { themes } });
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  await press(key('up'));
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
});

it('a theme is called dark or light once', () => {
  const labels = themeItems([
    { name: 'Solarized Dark', type: 'dark' },
    { name: 'Dracula', type: 'dark' },
    { name: 'Ayu Light', type: 'light' },
  ]).map(({ label }) => label);
  expect(labels).toEqual(['Solarized Dark', 'Dracula (dark)', 'Ayu Light']);
});
