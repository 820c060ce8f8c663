/** Guards the map in docs/architecture.md: who may import whom, no cycles, and what the first rings load. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const repo = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const coreSrc = join(repo, 'packages/core/src');
const cliSrc = join(repo, 'packages/cli/src');

/** Lower rows first. A folder may import from rows below its own, and contract files of its own row. */
const LAYERS: readonly (readonly string[])[] = [
  ['base', 'protocol'],
  ['platform'],
  [
    'bus',
    'context',
    'memory',
    'model',
    'policy',
    'prompts',
    'sessions',
    'settings',
    'telemetry',
    'workspace',
  ],
  ['tools'],
  ['agent'],
  ['config'],
];

/** What a neighbour of the same row may import. */
const CONTRACTS = new Set([
  'telemetry/record.ts',
  'bus/message-bus.ts',
  'model/content-generator.ts',
  'model/utility-model.ts',
  'workspace/host.ts',
]);

/** Libraries that must not be loaded before they are used. */
const HEAVY = [
  'ajv',
  'zod',
  '@xterm/headless',
  '@lydell/node-pty',
  'diff',
  'iconv-lite',
  'picomatch',
  'ink',
  '@opentelemetry',
  '@grpc',
  'google-auth-library',
  'js-yaml',
  'jsonc-parser',
  'smol-toml',
  'web-tree-sitter',
  'html-to-text',
  'react',
];

interface ImportEdge {
  from: string;
  to: string;
  typeOnly: boolean;
  dynamic: boolean;
}

describe('layers of core', () => {
  const edges = importsOf(coreSrc);

  it('import only downwards, or a contract of their own row', () => {
    const wrong = edges.filter(({ from, to }) => {
      const [a, b] = [layerOf(from), layerOf(to)];
      if (a === undefined || b === undefined) return false;
      if (folderOf(from) === folderOf(to)) return false;
      return b > a || (b === a && a > 0 && !CONTRACTS.has(to));
    });
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('know every folder', () => {
    const known = new Set(LAYERS.flat());
    const folders = readdirSync(coreSrc, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map((entry) => entry.name).filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('imports', () => {
  it.each([
    ['core', coreSrc],
    ['cli', cliSrc],
  ])('of %s form no cycle', (_name, root) => {
    const graph = new Map<string, string[]>();
    for (const { from, to, typeOnly, dynamic } of importsOf(root)) {
      if (!typeOnly && !dynamic) graph.set(from, [...(graph.get(from) ?? []), to]);
    }
    expect(findCycle(graph)).toEqual([]);
  });

  it('of other packages go through their index only', () => {
    const deep = [...sourceFiles(cliSrc), ...sourceFiles(join(repo, 'packages/test-utils/src'))].filter(
      (file) => /from '@gemini-cli\/core\//.test(readFileSync(file, 'utf8')),
    );
    expect(deep).toEqual([]);
  });
});

describe('the built program', () => {
  const meta = builtOutputs();

  it('starts without any library: version and help need the entry alone', () => {
    const entry = Object.entries(meta).find(([path]) => path.endsWith('gemini.cjs'));
    expect(entry).toBeDefined();
    const inputs = Object.keys(entry?.[1].inputs ?? {});
    expect(inputs.filter((path) => !path.startsWith('packages/cli/src/'))).toEqual([]);
  });

  it('answers a prompt without loading a heavy library', () => {
    const inputs = staticClosure(meta, (path) => path.endsWith('dist/main.cjs'));
    const loaded = [...inputs].filter((path) => HEAVY.some((name) => path.includes(`node_modules/${name}/`)));
    expect(loaded).toEqual([]);
    expect([...inputs].filter((path) => path.includes('node_modules/'))).toEqual([]);
  });

  it('answers a prompt without anything of the screen', () => {
    const inputs = staticClosure(meta, isBuiltFrom('packages/cli/src/headless/run.ts'));
    expect([...inputs].filter((path) => path.startsWith('packages/cli/src/ui/'))).toEqual([]);
  });

  it('shows its first frame with the entry alone, which has little of the screen in it', () => {
    const [, entry] = Object.entries(meta).find(([path]) => path.endsWith('gemini.cjs')) ?? [];
    const ofScreen = Object.keys(entry?.inputs ?? {}).filter((path) =>
      path.startsWith('packages/cli/src/ui/'),
    );
    expect(ofScreen.filter((path) => !path.startsWith('packages/cli/src/ui/terminal/'))).toEqual([]);
    expect(entry?.imports.filter(({ path, external }) => !external || path.startsWith('.'))).toEqual([]);
  });

  it('has a working screen without React, Ink, the reader of Markdown, grammars or tables of characters', () => {
    const inputs = [...staticClosure(meta, isBuiltFrom('packages/cli/src/ui/run.ts'))];
    const libraries = inputs.filter((path) => path.includes('node_modules/'));
    expect(libraries.filter((path) => !path.startsWith('node_modules/fzf/'))).toEqual([]);
    expect(inputs.filter((path) => path.endsWith('.tsx'))).toEqual([]);
  });
});

function isBuiltFrom(source: string): (path: string, output: BuiltOutput) => boolean {
  return (_path, { entryPoint }) => entryPoint === source;
}

interface BuiltOutput {
  entryPoint?: string;
  inputs: Record<string, unknown>;
  imports: { path: string; kind: string; external?: boolean }[];
}

/** Written by the build; the test command builds first. */
function builtOutputs(): Record<string, BuiltOutput> {
  const path = join(repo, 'packages/cli/dist/meta.json');
  if (!existsSync(path)) throw new Error('Run "npm run build" before this test.');
  return JSON.parse(readFileSync(path, 'utf8')).outputs;
}

/** Sources loaded as soon as the chosen chunk is, dynamic imports left out. */
function staticClosure(
  meta: Record<string, BuiltOutput>,
  isStart: (path: string, output: BuiltOutput) => boolean,
): Set<string> {
  const inputs = new Set<string>();
  const seen = new Set<string>();
  const queue = Object.entries(meta).flatMap(([path, output]) => (isStart(path, output) ? [path] : []));
  expect(queue).toHaveLength(1);
  for (let path = queue.pop(); path; path = queue.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const input of Object.keys(meta[path]?.inputs ?? {})) inputs.add(input);
    for (const item of meta[path]?.imports ?? []) {
      if (item.kind === 'import-statement' && !item.external) queue.push(item.path);
    }
  }
  return inputs;
}

function importsOf(root: string): ImportEdge[] {
  return sourceFiles(root).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const pattern =
      /(?:^|\n)\s*(?:import|export)\s+(type\s)?([^'";]*?\sfrom\s+)?'(\.[^']+)'|(await )?import\('(\.[^']+)'\)/g;
    return [...text.matchAll(pattern)].flatMap((match) => {
      const specifier = match[3] ?? match[5];
      if (!specifier || specifier.endsWith('.md') || specifier.endsWith('.mjs')) return [];
      const target = resolve(dirname(file), specifier).replace(/\.js$/, '.ts');
      return [
        {
          from: relative(root, file),
          to: relative(root, target),
          typeOnly: match[1] !== undefined,
          dynamic: match[5] !== undefined,
        },
      ];
    });
  });
}

function sourceFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(root, name));
}

function folderOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function layerOf(path: string): number | undefined {
  const index = LAYERS.findIndex((row) => row.includes(folderOf(path)));
  return index < 0 ? undefined : index;
}

function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const visit = (node: string): string[] => {
    if (state.get(node) === 'done') return [];
    if (state.get(node) === 'open') return [...path.slice(path.indexOf(node)), node];
    state.set(node, 'open');
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    state.set(node, 'done');
    return [];
  };
  for (const node of graph.keys()) {
    const cycle = visit(node);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
