/** Shows that the checks of `architecture.test.ts` can fail: each is run on sources with one mistake in them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { staticClosure } from './built-chunks.test-helper.js';
import { comparedErrors, plainErrorClasses } from './error-rules.test-helper.js';
import {
  folderCycle,
  layerViolations,
  leavingImports,
  moduleCycle,
  unknownFolders,
} from './import-rules.test-helper.js';
import { CLI, CORE } from './layers.test-helper.js';
import { importsOf, readSources } from './source-imports.test-helper.js';

describe('the rows of folders', () => {
  it.each([
    [
      'an import that goes up',
      'base/text.ts',
      "import { Config } from '../config/config.js';",
      'config/config.ts',
    ],
    [
      'one of types',
      'base/text.ts',
      "import type { Config } from '../config/config.js';",
      'config/config.ts',
    ],
    ['an export', 'base/text.ts', "export * from '../config/config.js';", 'config/config.ts'],
    ['one at first use', 'base/text.ts', "await import('../config/config.js');", 'config/config.ts'],
    [
      'one over several lines',
      'base/text.ts',
      "import {\n  Config,\n} from '../config/config.js';",
      'config/config.ts',
    ],
    ['one of the index', 'config/config.ts', "import { Config } from '../index.js';", 'index.ts'],
    ['one of a part of the index', 'tools/tools.ts', "await import('../front-end.js');", 'front-end.ts'],
  ])('report %s', (_what, from, text, to) => {
    expect(layerViolations(graph({ [from]: text, [to]: '' }), CORE)).toEqual([`${from} -> ${to} (upwards)`]);
  });

  it('report an import of a neighbour, unless it is a contract', () => {
    const edges = graph({
      'memory/files.ts': "import '../settings/trust/trust.js';\nimport '../telemetry/record.js';",
      'settings/trust/trust.ts': '',
      'telemetry/record.ts': '',
    });
    expect(layerViolations(edges, CORE)).toEqual(['memory/files.ts -> settings/trust/trust.ts (sideways)']);
  });

  it('allow imports that go down, and all imports of the files above the folders', () => {
    const edges = graph({
      'index.ts': "export * from './config/config.js';\nexport * from './front-end.js';",
      'front-end.ts': "export * from './base/text.js';",
      'config/config.ts': "import '../base/text.js';",
      'base/text.ts': '',
    });
    expect(edges).toHaveLength(4);
    expect(layerViolations(edges, CORE)).toEqual([]);
  });

  it('report a component of the screen that reaches up, and one that is reached from below', () => {
    const edges = graph({
      'ui/Live.tsx': "import { main } from '../boot/main.js';",
      'boot/main.ts': '',
      'commands/help.ts': "import { Live } from '../ui/Live.js';",
    });
    expect(layerViolations(edges, CLI)).toEqual([
      'ui/Live.tsx -> boot/main.ts (upwards)',
      'commands/help.ts -> ui/Live.tsx (upwards)',
    ]);
  });

  it('report a front end that imports another', () => {
    const edges = graph({ 'ui/run.ts': "import '../headless/run.js';", 'headless/run.ts': '' });
    expect(layerViolations(edges, CLI)).toEqual(['ui/run.ts -> headless/run.ts (sideways)']);
  });

  it('report a folder without a row, unless it holds test helpers only', () => {
    const paths = ['base/text.ts', 'index.ts', 'utils/all.ts', 'architecture/rules.test-helper.ts'];
    expect(unknownFolders(paths, CORE)).toEqual(['utils']);
  });
});

describe('cycles', () => {
  it('of modules are reported, through components too', () => {
    const edges = graph({
      'ui/app.ts': "import { Live } from './Live.js';",
      'ui/Live.tsx': "import { draw } from './draw.js';",
      'ui/draw.ts': "import { app } from './app.js';",
    });
    expect(moduleCycle(edges)).toEqual(['ui/app.ts', 'ui/Live.tsx', 'ui/draw.ts', 'ui/app.ts']);
  });

  it('of modules do not count imports of types and those at first use', () => {
    const edges = graph({
      'base/a.ts': "import { b } from './b.js';",
      'base/b.ts': "import type { A } from './a.js';\nconst load = () => import('./a.js');",
    });
    expect(edges).toHaveLength(3);
    expect(moduleCycle(edges)).toEqual([]);
  });

  it('of folders are reported where no module is part of one', () => {
    const edges = graph({
      'ui/run.ts': "import type { Flags } from '../boot/flags.js';",
      'boot/main.ts': "await import('../ui/run.js');",
      'boot/flags.ts': '',
    });
    expect(moduleCycle(edges)).toEqual([]);
    expect(folderCycle(edges)).toEqual(['ui', 'boot', 'ui']);
  });

  it('of folders inside the interface are reported, with the files beside them', () => {
    const edges = graph({
      'ui/look.ts': "import type { Theme } from './themes/theme.js';",
      'ui/themes/theme.ts': "import type { Look } from '../look.js';",
    });
    expect(folderCycle(edges)).toEqual([]);
    expect(folderCycle(edges, 'ui/')).toEqual(['look.ts', 'themes', 'look.ts']);
  });
});

describe('errors', () => {
  const inFile = (text: string, path = 'agent/a.ts') => new Map([[path, text]]);

  it.each(['class LateError extends Error {}', 'throw new (class extends TypeError {})();'])(
    'without an addressee are reported: %s',
    (text) => expect(plainErrorClasses(inFile(text))).toHaveLength(1),
  );

  it('with an addressee are accepted, and so is the base of all', () => {
    expect(plainErrorClasses(inFile('class LateError extends UserError {}'))).toEqual([]);
    expect(plainErrorClasses(inFile('class AppError extends Error {}', 'base/errors.ts'))).toEqual([]);
  });

  it.each([
    "if (error.name === 'LateError') retry();",
    'log(error.constructor.name);',
    "info.type.startsWith('Fatal')",
    "messageOf(error).includes('late')",
    "error.message === 'late'",
    '/late/.test(messageOf(error))',
    '/late/.exec(error.message)',
  ])('that are told apart by text are reported: %s', (text) => {
    expect(comparedErrors(inFile(text))).toHaveLength(1);
  });

  it('that are told apart by class or code are accepted, and so are texts of a server', () => {
    expect(comparedErrors(inFile("error instanceof LateError || codeOf(error) === 'ENOENT'"))).toEqual([]);
    expect(comparedErrors(inFile('/quota/.test(error.message)', 'model/errors/limits.ts'))).toEqual([]);
  });
});

it('an import that leaves the package by its path is reported', () => {
  const edges = graph({ 'ui/run.ts': "import { Config } from '../../../core/src/index.js';" });
  expect(leavingImports(edges)).toEqual(['ui/run.ts -> ../../core/src/index.js']);
});

it('the reader finds components and files beside folders, and leaves tests and declarations out', () => {
  const root = mkdtempSync(join(tmpdir(), 'sources-'));
  try {
    mkdirSync(join(root, 'ui'));
    const names = [
      'index.ts',
      'ui/Live.tsx',
      'ui/Live.test.tsx',
      'ui/a.test.ts',
      'globals.d.ts',
      'ui/README.md',
    ];
    for (const name of names) writeFileSync(join(root, name), '');
    expect([...readSources(root).keys()].sort()).toEqual(['index.ts', 'ui/Live.tsx']);
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('a library is found in what a built file loads at once, not in what it loads later', () => {
  const chunk = (input: string, path: string, kind: string) => ({
    inputs: { [input]: {} },
    imports: [{ path, kind }],
  });
  const chunks = {
    'main.cjs': chunk('src/main.ts', 'a.cjs', 'import-statement'),
    'a.cjs': chunk('node_modules/zod/index.js', 'b.cjs', 'dynamic-import'),
    'b.cjs': chunk('node_modules/ink/index.js', 'main.cjs', 'import-statement'),
  };
  const isMain = (path: string) => path === 'main.cjs';
  expect(staticClosure(chunks, isMain)).toEqual(['src/main.ts', 'node_modules/zod/index.js']);
  expect(() => staticClosure(chunks, () => false)).toThrow('found 0');
});

function graph(sources: Record<string, string>) {
  return importsOf(new Map(Object.entries(sources)));
}
