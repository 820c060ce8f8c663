import { describe, expect, it } from 'vitest';
import { definitionAt, setting } from './index.js';
import { feedsIn, withDefaults } from './parameters.js';
import { SETTINGS } from './root.js';

const feeds = feedsIn(SETTINGS);
const nameOf = ({ head, member }: (typeof feeds)[number]) => (member ? `${head}.${member}` : head);

describe('the parameters that settings become', () => {
  it('have one entry each, in groups of one level', () => {
    const names = feeds.map(nameOf);
    expect(names.length).toBeGreaterThan(50);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.split('.').length > 2)).toEqual([]);
    const groups = new Set(feeds.filter(({ member }) => member).map(({ head }) => head));
    expect(feeds.filter(({ head, member }) => !member && groups.has(head))).toEqual([]);
  });

  it('belong to settings that take effect', () => {
    const isPending = ({ keys }: (typeof feeds)[number]) =>
      keys.some((_, index) => definitionAt(keys.slice(0, index + 1))?.pending);
    expect(feeds.filter(isPending).map(nameOf)).toEqual([]);
  });

  it('change in a running session with all of their group, or not at all', () => {
    const heads = (isLive: boolean) =>
      new Set(
        feeds.filter(({ definition }) => (definition.live ?? false) === isLive).map(({ head }) => head),
      );
    expect([...heads(true)].filter((head) => heads(false).has(head))).toEqual([]);
  });

  it('have the default of their entry', () => {
    const parameters = withDefaults({});
    expect(parameters.maxAttempts).toBe(setting({}, 'general.maxAttempts'));
    expect(parameters.fileFiltering.searchTimeout).toBe(setting({}, 'context.fileFiltering.searchTimeout'));
    expect(parameters.webSearch).toEqual({});
  });

  it('do not change the value that was given', () => {
    const given = { undo: { enabled: false }, shell: { pager: 'less' } };
    expect(withDefaults(given)).toMatchObject({ undo: { enabled: false }, shell: { pager: 'less' } });
    expect(given).toEqual({ undo: { enabled: false }, shell: { pager: 'less' } });
  });
});
