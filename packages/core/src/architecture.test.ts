import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comparedErrors, plainErrorClasses } from './architecture/error-rules.test-helper.js';
import {
  folderCycle,
  layerViolations,
  leavingImports,
  moduleCycle,
  unknownFolders,
} from './architecture/import-rules.test-helper.js';
import { CLI, CORE } from './architecture/layers.test-helper.js';
import { processReads } from './architecture/process-reads.test-helper.js';
import { importsOf, readSources } from './architecture/source-imports.test-helper.js';

const repo = join(import.meta.dirname, '../../..');
const core = readSources(join(repo, 'packages/core/src'));
const cli = readSources(join(repo, 'packages/cli/src'));
const testUtils = readSources(join(repo, 'packages/test-utils/src'));
const sdk = readSources(join(repo, 'packages/sdk/src'));

describe.each([
  ['core', core, CORE],
  ['cli', cli, CLI],
])('the imports of %s', (_name, sources, layers) => {
  const edges = importsOf(sources);

  it('go down the rows of its folders, or to a contract in the same row', () => {
    expect(layerViolations(edges, layers)).toEqual([]);
  });

  it('come from folders that all have a row', () => {
    expect(unknownFolders(sources.keys(), layers)).toEqual([]);
  });

  it('form no cycle of modules and none of folders', () => {
    expect(moduleCycle(edges)).toEqual([]);
    expect(folderCycle(edges)).toEqual([]);
  });

  it('stay inside the package', () => {
    expect(leavingImports(edges)).toEqual([]);
  });
});

describe('the rooms of a large folder import each other in one direction only', () => {
  const large = [
    'agent',
    'context',
    'model',
    'platform',
    'platform/sandbox',
    'policy',
    'policy/shell',
    'sessions',
    'settings',
  ];

  it.each([...large, 'telemetry'])('in core: %s', (folder) => {
    const rooms = importsOf(core).filter(({ from, to }) =>
      [from, to].every((path) => isInRoom(path, folder)),
    );
    expect(rooms).not.toEqual([]);
    expect(folderCycle(rooms, `${folder}/`)).toEqual([]);
  });

  it.each(['ui/', 'ui/app/'])('in the command line: %s', (base) => {
    expect(folderCycle(importsOf(cli), base)).toEqual([]);
  });

  /** Files beside the rooms join them, so they may import and be imported. */
  function isInRoom(path: string, folder: string): boolean {
    return path.startsWith(`${folder}/`) && path.slice(folder.length + 1).includes('/');
  }
});

describe('the environment', () => {
  const READER = 'platform/environment.ts';
  const sources = [...core]
    .filter(([path]) => !path.endsWith('.test-helper.ts'))
    .map(([path, text]) => ({ path, text }));

  it('is read from the process in one file of core', () => {
    const readers = sources.filter(({ path, text }) => path !== READER && processReads(text).length > 0);
    expect(readers.map(({ path, text }) => `${path}: ${processReads(text)}`)).toEqual([]);
  });

  it('is taken from the process in one place, where a front end gives none', () => {
    const takers = sources.filter(
      ({ path, text }) => path !== READER && /\bprocess(?:Environment|Variables)\(/.test(text),
    );
    expect(takers.map(({ path }) => path)).toEqual(['engine/project.ts']);
  });

  it.each([
    ["const key = process.env['KEY'];", ['process.env']],
    ['const { PATH } = process . env;', ['process . env']],
    ['const { env, platform } = process;', ['{ env, platform } = process']],
    ["const all = process['env'];", ["process['env"]],
    ['start(process.cwd());', ['process.cwd']],
    ["import { homedir, hostname } from 'node:os';", ['homedir']],
    ["import { tmpdir } from 'os';", ['tmpdir']],
    ["import { env } from 'node:process';", ["from 'node:process'"]],
    ["import * as os from 'node:os';\nos.homedir();", ['homedir']],
    ['// Not process.env: see there.\n/* process.cwd() */ const environment = process.platform;', []],
  ])('is found to be read in %j', (text, found) => expect(processReads(text)).toEqual(found));
});

describe('errors', () => {
  it.each([
    ['core', core],
    ['cli', cli],
  ])('of %s are classes that say whom they are for', (_name, sources) => {
    expect(plainErrorClasses(sources)).toEqual([]);
  });

  it.each([
    ['core', core],
    ['cli', cli],
  ])('are not told apart by their text or the name of their class in %s', (_name, sources) => {
    expect(comparedErrors(sources)).toEqual([]);
  });
});

it('tests of the fast lane import nothing that starts processes or threads', () => {
  const starts = /from 'node:(?:child_process|worker_threads)'/;
  const below = (name: string) => join(repo, 'packages', name, 'src');
  const files = ['core', 'cli', 'sdk', 'test-utils'].flatMap((name) =>
    readdirSync(below(name), { recursive: true, encoding: 'utf8' }).map((path) => join(below(name), path)),
  );
  const fast = files.filter((path) => /(?<!\.process)\.test\.tsx?$/.test(path));
  expect(fast.length).toBeGreaterThan(300);
  expect(fast.filter((path) => starts.test(readFileSync(path, 'utf8')))).toEqual([]);
});

it('other packages import core through its index only', () => {
  const deep = [...cli, ...testUtils].filter(([, text]) => /from '@gemini-cli\/core\//.test(text));
  expect(deep.map(([path]) => path)).toEqual([]);
});

describe('the SDK', () => {
  const own = [...sdk].filter(([path]) => !/\.test(-helper)?\.ts$/.test(path));

  it('imports core by its published names, and nothing of other packages', () => {
    const PUBLISHED = /^@gemini-cli\/core(\/(protocol|tools|testing))?$/;
    const found = own.flatMap(([path, text]) =>
      [...text.matchAll(/from '(@gemini-cli\/[^']+)'/g)]
        .filter(([, name = '']) => !PUBLISHED.test(name))
        .map(([, name]) => `${path}: ${name}`),
    );
    expect(found).toEqual([]);
    expect(leavingImports(importsOf(sdk))).toEqual([]);
  });

  it('loads nothing of core before a session starts', () => {
    const loaded = new Set(['index.ts']);
    for (const path of loaded) {
      const text = sdk.get(path) ?? '';
      expect(text, path).not.toMatch(/^import (?!type\b)[^;]*from '@gemini-cli\/core/m);
      for (const [, target = ''] of text.matchAll(/^(?:import|export) (?!type\b)[^;]*from '(\.[^']+)'/gm))
        loaded.add(join(path, '..', target).replace(/\.js$/, '.ts'));
    }
    expect(loaded).toContain('agent/session-engine.ts');
  });
});

it('the checks see components, and the files beside the folders of core', () => {
  expect([...cli.keys()]).toContain('ui/Live.tsx');
  expect([...core.keys()]).toEqual(expect.arrayContaining(['index.ts', 'front-end.ts', 'diagnostics.ts']));
  expect(importsOf(cli).filter(({ to }) => to.endsWith('.tsx'))).not.toEqual([]);
});
