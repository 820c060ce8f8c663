import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { group, off, type SettingDefinition } from '../schema/definition.js';
import { dialogSettings } from '../schema/dialog-settings.js';
import { ROOT } from '../schema/root.js';
import { isRead, isTaken, type Leaf, leavesOf, readingSources } from './setting-readers.test-helper.js';

const sources = readingSources(fileURLToPath(new URL('../../../../../', import.meta.url)));
const pathOf = ({ keys }: Leaf) => keys.join('.');

/** For editors only. */
const SCHEMA = '$schema';
const leaves = leavesOf(ROOT).filter(({ keys }) => keys[0] !== SCHEMA);

describe('every setting', () => {
  it('is read by code, or its entry says what it waits for or why it has no effect', () => {
    expect(leaves.filter((leaf) => !leaf.isMarked && !isRead(leaf, sources)).map(pathOf)).toEqual([]);
  });

  it('that is marked as without effect is read by no code', () => {
    expect(leaves.filter((leaf) => leaf.isMarked && isTaken(leaf.keys, sources)).map(pathOf)).toEqual([]);
  });

  it('of the settings dialog has an effect', () => {
    const marked = new Set(leaves.filter(({ isMarked }) => isMarked).map(pathOf));
    expect(marked.size).toBeGreaterThan(20);
    expect(dialogSettings().filter(({ key }) => marked.has(key))).toEqual([]);
  });
});

describe('the check', () => {
  const leafOf = (definition: SettingDefinition) => {
    const root = {
      kind: 'object',
      description: 'Root.',
      properties: { general: group('G.', { madeUp: definition }) },
    };
    return leavesOf(root as SettingDefinition)[0] as Leaf;
  };
  const plain = leafOf(off('Made up.'));

  it('finds no reader of a setting that no code names', () => {
    expect(isRead(plain, sources)).toBe(false);
    expect(isRead(leafOf(off('Made up.', { parameter: 'madeUpParameter' })), sources)).toBe(false);
  });

  it.each([
    "const value = setting(folder.settings.merged, 'general.madeUp');",
    'if (settings.general?.madeUp) start();',
    'const { vimMode, madeUp = false } = settings.merged.general ?? {};',
  ])('finds the reader %s', (source) => {
    expect([isTaken(plain.keys, [source]), isRead(plain, [source])]).toEqual([true, true]);
  });

  it.each(["const KEYS = ['general.madeUp'];", 'const madeUp = 1;', "other?.['madeUp']"])(
    'takes no reader from %s',
    (source) => {
      expect(isRead(plain, [source])).toBe(false);
    },
  );

  it('reports a mark above the setting', () => {
    expect(leafOf(off('Made up.', { ignored: 'it has no meaning here' })).isMarked).toBe(true);
    expect(plain.isMarked).toBe(false);
  });
});
