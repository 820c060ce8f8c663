import { expect, it } from 'vitest';
import { dialogSettings } from './dialog-settings.js';
import { definitionAt } from './index.js';

it('lists every dialog setting with the data needed to change it', () => {
  const settings = dialogSettings();
  const keys = settings.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { key, kind, values, label } of settings) {
    expect(definitionAt(key.split('.'))?.dialog, key).toBe(true);
    expect(label).not.toBe('');
    if (kind === 'enum') expect(values.length, key).toBeGreaterThan(0);
  }
});

it('begins with the general settings and ends with those without a section', () => {
  const sections = dialogSettings().map(({ section }) => section);
  expect(sections[0]).toBe('general');
  expect(sections.at(-1)).toBe('');
  expect(sections.indexOf('')).toBe(sections.filter(Boolean).length);
});

it('gives each setting a label and a kind', () => {
  expect(dialogSettings().find(({ key }) => key === 'general.vimMode')).toMatchObject({
    label: 'Vim Mode',
    section: 'general',
    kind: 'boolean',
    default: false,
  });
  expect(dialogSettings().map(({ key }) => key)).toContain('general.sessionRetention.maxAge');
});
