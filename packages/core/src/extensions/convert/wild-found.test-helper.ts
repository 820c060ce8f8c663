/** Shapes of a second survey of public plugins: marketplaces, hooks, servers and texts that went wrong here once. */
import type { WildPlugin } from './wild-plugins.test-helper.js';

const MANIFEST = '.claude-plugin/plugin.json';
const MARKET = '.claude-plugin/marketplace.json';
const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name}\n---\nDo it.\n`;

export const WILD_MARKETS: readonly WildPlugin[] = [
  {
    shape: 'an entry that lists two of three skills of the repository and is its own manifest',
    files: {
      [MARKET]: {
        name: 'm',
        plugins: [{ name: 'one', source: './', strict: false, skills: ['./skills/a', 'skills/b'] }],
      },
      'skills/a/SKILL.md': skill('a'),
      'skills/b/SKILL.md': skill('b'),
      'skills/c/SKILL.md': skill('c'),
      'skills/c/run.sh': 'echo\n',
    },
    has: ['skills/a/SKILL.md', 'skills/b/SKILL.md', 'skills/c/run.sh'],
    lacks: ['skills/c/SKILL.md'],
    losses: [/skipped file skills\/c\/SKILL\.md: it would be loaded as a skill/],
  },
  {
    shape: 'a plugin beside a marketplace file without plugins',
    files: { [MARKET]: { name: 'm', plugins: [] }, [MANIFEST]: { name: 'a' }, 'commands/x.md': 'X' },
    has: ['commands/x.toml'],
    losses: [/warned plugin .claude-plugin\/marketplace\.json: .*lists no plugins/],
  },
  {
    shape: 'a plugin beside a marketplace file that is no JSON',
    files: { [MARKET]: '{ nope', [MANIFEST]: { name: 'a' }, 'commands/x.md': 'X' },
    has: ['commands/x.toml'],
    losses: [/warned plugin .claude-plugin\/marketplace\.json: .*line 1, column 3/],
  },
  {
    shape: 'a marketplace whose plugins are a map from names to folders',
    files: {
      [MARKET]: { plugins: { aw: { path: './kit', version: '0.1.0' } } },
      'kit/commands/x.md': 'X',
    },
    has: ['commands/x.toml'],
    texts: { 'gemini-extension.json': [/"name": "aw"/, /"version": "0\.1\.0"/] },
  },
  {
    shape: 'a marketplace whose source is an object with a folder',
    files: {
      [MARKET]: { plugins: [{ name: 'd', source: { source: 'directory', path: './kit' } }] },
      'kit/commands/x.md': 'X',
    },
    has: ['commands/x.toml'],
  },
];
