/** The themes to choose from, dark ones first. */
import type { Settings } from '@gemini-cli/core';
import type { RadioItem } from '../../components/RadioButtonSelect.js';
import { cleanLine } from '../../text/clean.js';

export interface ThemeEntry {
  name: string;
  type: string;
}

export async function themesOf(settings: Settings): Promise<ThemeEntry[]> {
  const { BUILTIN_THEMES } = await import('../../themes/builtin/index.js');
  const custom = Object.keys(settings.ui?.customThemes ?? {}).map((name) => ({ name, type: 'custom' }));
  const known = new Set(BUILTIN_THEMES.map(({ name }) => name));
  return [...BUILTIN_THEMES, ...custom.filter(({ name }) => !known.has(name))];
}

const ORDER = ['dark', 'ansi', 'light', 'custom', 'none'];

export function themeItems(themes: readonly ThemeEntry[]): RadioItem<string>[] {
  const rank = ({ type }: ThemeEntry) => ORDER.indexOf(type);
  return [...themes]
    .sort((a, b) => rank(a) - rank(b))
    .map((theme) => ({ value: theme.name, label: labelOf(theme) }));
}

/** The kind is added where the name does not say it. */
function labelOf({ name, type }: ThemeEntry): string {
  const isSaid = name.toLowerCase().split(' ').includes(type);
  return isSaid ? cleanLine(name) : `${cleanLine(name)} (${cleanLine(type)})`;
}

export const SAMPLE_CODE = [
  '```python',
  '# Counts words',
  'def count(text: str) -> int:',
  '    words = text.split(" ")',
  '    return len(words) + 0',
  '```',
].join('\n');

export const SAMPLE_DIFF = {
  fileName: 'greet.py',
  fileDiff:
    '@@ -1,2 +1,2 @@\n def greet(name):\n-    print("Hello, " + name)\n+    print(f"Hello, {name}!")\n',
};
