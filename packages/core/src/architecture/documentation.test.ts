import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const repo = join(import.meta.dirname, '../../../..');
const page = readFileSync(join(repo, 'docs/architecture.md'), 'utf8');
const sources = ['core', 'cli', 'sdk', 'a2a-server', 'test-utils'].flatMap((name) =>
  filesBelow(`packages/${name}/src`),
);
const readmes = [...sources, 'scripts/README.md', 'packages/test-utils/README.md'].filter((path) =>
  path.endsWith('/README.md'),
);
const fileNames = new Set([...sources, ...filesBelow('scripts'), ...filesBelow('docs')].map(baseName));

describe('docs/architecture.md', () => {
  it('names only files and folders that exist', () => {
    expect(namedPaths(page).filter((path) => !exists(path))).toEqual([]);
  });

  it('walks through files that exist', () => {
    const walks = page.split('\n').filter((line) => /^\| [^|]+ \|( `[\w/-]+`){3}/.test(line));
    const files = walks.flatMap((line) =>
      [...line.matchAll(/`([\w-]+(?:\/[\w-]+)+)`/g)].map(([, path = '']) => path),
    );
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((path) => !exists(`${path}.ts`) && !exists(`${path}.tsx`))).toEqual([]);
  });
});

describe.each(readmes)('%s', (readme) => {
  const text = readFileSync(join(repo, readme), 'utf8');

  it('is short enough to be read', () => expect(text.split('\n').length).toBeLessThanOrEqual(26));

  it('names only files and folders that exist', () => {
    const folder = dirname(readme);
    const missing = namedPaths(text).filter((path) => !existsSync(join(repo, folder, path)) && !exists(path));
    expect(missing).toEqual([]);
  });
});

/** Paths of sources and pages in code quotes: with a suffix, or a folder with a slash at its end. */
function namedPaths(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].flatMap(([, word = '']) => spelledOut(word));
  return quoted.filter(
    (word) => /^[\w.-][\w./-]*(?:\.(?:ts|tsx|md|mjs)|\/)$/.test(word) && !word.startsWith('.'),
  );
}

/** `{one,two}.ts` names two files. */
function spelledOut(word: string): string[] {
  const [, before = '', names, after = ''] = /^([^{]*)\{([^}]+)\}(.*)$/.exec(word) ?? [];
  return names === undefined ? [word] : names.split(',').map((name) => before + name + after);
}

/** A path from the root, of core, of the command line, the SDK or the A2A server; a name alone may be that of any file. */
function exists(path: string): boolean {
  if (!path.slice(0, -1).includes('/') && fileNames.has(path)) return true;
  const packages = ['core', 'cli', 'sdk', 'a2a-server'].map((name) => `packages/${name}/src`);
  const roots = ['', 'packages', ...packages, 'packages/cli/src/ui'];
  const short = path.replace(/^(cli|core|sdk)\//, 'packages/$1/src/');
  return [short, ...roots.map((root) => join(root, path))].some((from) => existsSync(join(repo, from)));
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(repo, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
