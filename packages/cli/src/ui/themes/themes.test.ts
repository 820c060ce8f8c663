import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changedTint } from '../tools/changed-tint.js';
import { DEFAULT_DARK, DEFAULT_LIGHT } from './builtin/default.js';
import { BUILTIN_THEMES } from './builtin/index.js';
import { luminance, parseColor, rgbOf } from './color.js';
import { readCustomTheme } from './custom.js';
import { backgroundFromEnv, backgroundOf } from './detect.js';
import { ThemeManager, type ThemeRequest } from './manager.js';
import type { Theme } from './theme.js';

describe('Built-in themes', () => {
  const names = BUILTIN_THEMES.map((theme) => theme.name);
  it.each([
    'ANSI',
    'Atom One',
    'Ayu',
    'Default',
    'Dracula',
    'GitHub',
    'GitHub Dark Colorblind',
    'Holiday',
    'Shades Of Purple',
    'Solarized Dark',
    'Tokyo Night',
    'ANSI Light',
    'Ayu Light',
    'Default Light',
    'GitHub Light',
    'GitHub Light Colorblind',
    'Google Code',
    'Solarized Light',
    'Xcode',
    'High Contrast',
    'High Contrast Light',
  ])('include %s', (name) => {
    expect(names).toContain(name);
  });

  const coloured = BUILTIN_THEMES.filter((theme) => theme.background.primary !== '');
  it.each(coloured.map((theme) => [theme.name, theme] as const))(
    'have readable contrast: %s',
    (_name, theme) => {
      const least = theme.name.startsWith('High Contrast') ? 7 : 4.3;
      for (const [use, color] of textColors(theme)) {
        expect(contrastOf(color, theme.background.primary), `${use} ${color}`).toBeGreaterThanOrEqual(least);
      }
      for (const tint of [
        theme.background.input,
        theme.background.diff.added,
        theme.background.diff.removed,
      ]) {
        const text = theme.text.primary || (theme.type === 'light' ? '#1c1f24' : '#e6e8ee');
        expect(contrastOf(text, tint), tint).toBeGreaterThanOrEqual(4.3);
      }
    },
  );

  it.each(coloured.map((theme) => [theme.name, theme] as const))(
    'keep text readable on the words that differ in a diff: %s',
    (_name, theme) => {
      const text = theme.text.primary || (theme.type === 'light' ? '#1c1f24' : '#e6e8ee');
      for (const kind of ['added', 'removed'] as const) {
        const { background, underline } = changedTint(kind, { theme, depth: 'truecolor' });
        if (background === undefined) {
          expect(underline).toBe(true);
          continue;
        }
        expect(background).not.toBe(theme.background.diff[kind]);
        expect(contrastOf(text, background), kind).toBeGreaterThanOrEqual(4.3);
      }
    },
  );

  it.each(BUILTIN_THEMES.map((theme) => [theme.name, theme] as const))(
    'do not colour names in code as removed lines are: %s',
    (_name, { status, syntax }) => {
      for (const scope of ['variable', 'template-variable', 'tag', 'keyword'])
        expect(syntax[scope], scope).not.toBe(status.error);
    },
  );

  it.each(['GitHub Dark Colorblind', 'GitHub Light Colorblind'])(
    '%s has no pair of red and green',
    (name) => {
      const theme = BUILTIN_THEMES.find((candidate) => candidate.name === name);
      // Blue tells them apart: much of it in one, little in the other.
      const [good, bad] = [theme?.status.success ?? '', theme?.status.error ?? ''].map(channels);
      expect((good?.b ?? 0) - (bad?.b ?? 0)).toBeGreaterThan(100);
    },
  );
});

describe('A custom theme', () => {
  it('uses the new keys, and the default of its lightness for the rest', () => {
    const { theme, warnings } = readCustomTheme('Mine', {
      type: 'custom',
      name: 'Mine',
      text: { primary: '#ABC', accent: 'rebeccapurple' },
      background: { primary: '#fff', diff: { added: 'green' } },
      border: { focused: 'brightblue' },
      ui: { gradient: ['red', '#00ff00'] },
    });
    expect(warnings).toEqual([]);
    expect(theme).toMatchObject({
      name: 'Mine',
      type: 'light',
      text: { primary: '#aabbcc', response: '#aabbcc', accent: '#663399', link: DEFAULT_LIGHT.text.link },
      background: { diff: { added: 'green', removed: DEFAULT_LIGHT.background.diff.removed } },
      border: { focused: 'blueBright' },
      ui: { focus: 'blueBright', gradient: ['red', '#00ff00'] },
    });
  });

  it('reads ui.focus as the focused border', () => {
    expect(readCustomTheme('x', { ui: { focus: '#123456' } }).theme).toMatchObject({
      border: { focused: '#123456' },
      ui: { focus: '#123456' },
    });
  });

  it('reads the old flat keys', () => {
    const { theme, warnings } = readCustomTheme('Old', {
      Background: '#101010',
      Foreground: '#eeeeee',
      AccentBlue: '#0000ff',
      AccentGreen: '#00ff00',
      AccentRed: '#ff0000',
      Comment: '#777777',
      Gray: '#999999',
      DiffAdded: '#002200',
      GradientColors: ['#111111', '#222222'],
    });
    expect(warnings).toEqual([]);
    expect(theme).toMatchObject({
      type: 'dark',
      text: { primary: '#eeeeee', secondary: '#999999' },
      status: { success: '#00ff00', error: '#ff0000' },
      background: { diff: { added: '#002200', removed: DEFAULT_DARK.background.diff.removed } },
      ui: { comment: '#777777', gradient: ['#111111', '#222222'] },
      syntax: { title: '#0000ff', string: '#00ff00' },
    });
  });

  it.each([
    [{ text: { primary: '#12' } }, 'text.primary', '#12'],
    [{ status: { error: 'blurple' } }, 'status.error', 'blurple'],
    [{ background: { diff: { added: 5 } } }, 'background.diff.added', '5'],
    [{ ui: { gradient: 'red' } }, 'ui.gradient', 'red'],
    [{ ui: { gradient: ['red', 'nope'] } }, 'ui.gradient.1', 'nope'],
    [{ AccentBlue: '#zzzzzz' }, 'AccentBlue', '#zzzzzz'],
  ])('reports a wrong colour: %j', (data, key, value) => {
    const { theme, warnings } = readCustomTheme('T', data);
    expect(warnings).toEqual([`Theme "T": ${key} is not a colour (${value}); the default is used.`]);
    expect(theme.text.primary).toBe(DEFAULT_DARK.text.primary);
  });

  it.each([[null], ['text'], [[]], [5]])('is the default when the data is %j', (data) => {
    const { theme, warnings } = readCustomTheme('T', data);
    expect(theme.name).toBe('T');
    expect(warnings).toHaveLength(1);
  });
});

describe('ThemeManager', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'themes-'));
  });
  afterEach(() => rm(home, { recursive: true }));
  const request = (more: Partial<ThemeRequest>): ThemeRequest => ({
    followsBackground: true,
    isNoColor: false,
    home,
    ...more,
  });

  it('finds extension themes by both names and prefers the user’s own', async () => {
    const manager = new ThemeManager({
      custom: { Dracula: { text: { accent: '#010203' } } },
      extensions: [{ extension: 'sea', themes: [{ name: 'Deep', text: { accent: '#000080' } }] }],
    });
    expect(manager.findTheme('deep (SEA)')?.text.accent).toBe('#000080');
    expect(manager.findTheme('Deep')).toBeUndefined();
    expect(manager.findTheme('dracula')?.text.accent).toBe('#010203');
  });

  it.each<[Partial<ThemeRequest>, string]>([
    [{}, 'Default'],
    [{ background: 'light' }, 'Default Light'],
    [{ name: 'Default', background: 'light' }, 'Default Light'],
    [{ name: 'Default Light', background: 'dark' }, 'Default'],
    [{ name: 'Default', background: 'light', followsBackground: false }, 'Default'],
    [{ name: 'Dracula', background: 'light' }, 'Dracula'],
    [{ name: 'Dracula', isNoColor: true }, 'NoColor'],
  ])('resolves %j to %s', async (more, expected) => {
    const { theme, warnings } = await new ThemeManager().resolve(request(more));
    expect([theme.name, warnings]).toEqual([expected, []]);
  });

  it('warns about an unknown name', async () => {
    const { theme, warnings } = await new ThemeManager().resolve(
      request({ name: 'Nope', background: 'light' }),
    );
    expect(theme).toBe(DEFAULT_LIGHT);
    expect(warnings.join()).toContain('"Nope"');
  });

  it('reads only files in the home directory', async () => {
    await mkdir(join(home, 'inner'));
    const file = join(home, 'inner', 'mine.json');
    await writeFile(file, '{"name":"Filed","text":{"accent":"#010203"}}');
    const manager = new ThemeManager();
    expect((await manager.resolve(request({ name: file }))).theme).toMatchObject({
      name: 'Filed',
      text: { accent: '#010203' },
    });
    expect((await manager.resolve(request({ name: '~/inner/mine.json' }))).theme.name).toBe('Filed');
    const outside = await manager.resolve(request({ name: file, home: join(home, 'inner', '..', 'inner') }));
    expect(outside.theme.name).toBe('Filed');
    await mkdir(join(home, 'other'));
    const refused = await manager.resolve(request({ name: file, home: join(home, 'other') }));
    expect(refused.theme).toBe(DEFAULT_DARK);
    expect(refused.warnings.join()).toContain('not inside of the home directory');
  });

  it.each(['missing.json', 'broken.json'])('warns about a bad file: %s', async (name) => {
    await writeFile(join(home, 'broken.json'), '{');
    const { theme, warnings } = await new ThemeManager().resolve(request({ name: join(home, name) }));
    expect(theme).toBe(DEFAULT_DARK);
    expect(warnings.join()).toContain(name);
  });
});

describe('The terminal background', () => {
  it.each([
    ['\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\', 'dark'],
    ['\x1b]11;rgb:ffff/ffff/ffff\x07', 'light'],
    ['11;rgb:fd/f6/e3', 'light'],
    ['11;#000000', 'dark'],
    ['11;rgba:0000/0000/0000/ffff', 'dark'],
    ['11;something', undefined],
  ])('is read from the answer %j', (answer, expected) => {
    expect(backgroundOf(answer)).toBe(expected);
  });

  it.each([
    ['15;0', 'dark'],
    ['0;15', 'light'],
    ['0;default;15', 'light'],
    ['12;8', 'dark'],
    ['', undefined],
  ])('is read from COLORFGBG %j', (value, expected) => {
    expect(backgroundFromEnv({ COLORFGBG: value })).toBe(expected);
  });
});

function textColors(theme: Theme): [string, string][] {
  const { text, status, ui, syntax } = theme;
  const all = { ...text, ...status, comment: ui.comment, symbol: ui.symbol, ...syntax };
  return Object.entries(all).filter(([, color]) => color !== '');
}

function channels(color: string) {
  const parsed = parseColor(color);
  if (!parsed) throw new Error(`no colour: ${color}`);
  return rgbOf(parsed);
}

/** WCAG: 1 is none, 21 is black on white. */
function contrastOf(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(channels(a)), luminance(channels(b))].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}
