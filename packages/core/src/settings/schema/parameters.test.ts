import { describe, expect, it } from 'vitest';
import { definitionAt, setting } from './index.js';
import { mappedSettings, withDefaults } from './parameters.js';
import { SETTINGS } from './root.js';

const entries = mappedSettings(SETTINGS);
const nameOf = ({ head, member }: (typeof entries)[number]) => (member ? `${head}.${member}` : head);

describe('engine parameters from settings', () => {
  it('come from one setting each, in groups of one level', () => {
    const names = entries.map(nameOf);
    expect(names.length).toBeGreaterThan(50);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.split('.').length > 2)).toEqual([]);
    const groups = new Set(entries.filter(({ member }) => member).map(({ head }) => head));
    expect(entries.filter(({ head, member }) => !member && groups.has(head))).toEqual([]);
  });

  it('belong to settings that take effect', () => {
    const isPending = ({ keys }: (typeof entries)[number]) =>
      keys.some((_, index) => definitionAt(keys.slice(0, index + 1))?.pending);
    expect(entries.filter(isPending).map(nameOf)).toEqual([]);
  });

  it('change in a running session with their whole group, or not at all', () => {
    const heads = (isLive: boolean) =>
      new Set(
        entries.filter(({ definition }) => (definition.live ?? false) === isLive).map(({ head }) => head),
      );
    expect([...heads(true)].filter((head) => heads(false).has(head))).toEqual([]);
  });

  it('have the default of their entry', () => {
    const parameters = withDefaults({});
    expect(parameters.maxAttempts).toBe(setting({}, 'general.maxAttempts'));
    expect(parameters.fileFiltering.searchTimeout).toBe(setting({}, 'context.fileFiltering.searchTimeout'));
    expect(parameters.webSearch).toEqual({});
  });

  it('do not replace a given value', () => {
    const given = { undo: { enabled: false }, shell: { pager: 'less' } };
    expect(withDefaults(given)).toMatchObject({ undo: { enabled: false }, shell: { pager: 'less' } });
    expect(given).toEqual({ undo: { enabled: false }, shell: { pager: 'less' } });
  });
});
