/** package.json and deno.json. */
import { objectOf } from '../../../base/objects.js';
import type { ManifestContext, ManifestFacts, Task } from './types.js';

const KNOWN_TOOLS: Record<string, string> = {
  react: 'React',
  vue: 'Vue',
  svelte: 'Svelte',
  '@angular/core': 'Angular',
  next: 'Next.js',
  express: 'Express',
  fastify: 'Fastify',
  ink: 'Ink',
  vite: 'Vite',
  webpack: 'webpack',
  rollup: 'Rollup',
  esbuild: 'esbuild',
  tsup: 'tsup',
  turbo: 'Turborepo',
  vitest: 'Vitest',
  jest: 'Jest',
  mocha: 'Mocha',
  ava: 'AVA',
  '@playwright/test': 'Playwright',
  eslint: 'ESLint',
  prettier: 'Prettier',
  '@biomejs/biome': 'Biome',
};

/** Script names that mean a task, the usual one first. */
const SCRIPTS: [Task, string[]][] = [
  ['build', ['build', 'compile']],
  ['run', ['start', 'dev', 'serve']],
  ['test', ['test', 'test:unit', 'tests']],
  ['lint', ['lint', 'check']],
  ['typecheck', ['typecheck', 'type-check', 'check-types', 'tsc']],
];

export function readPackageJson(content: string, context: ManifestContext): ManifestFacts {
  const json = parseObject(content);
  const manager = packageManager(json, context);
  const scripts = objectAt(json, 'scripts');
  const packages = { ...objectAt(json, 'dependencies'), ...objectAt(json, 'devDependencies') };
  const isTypeScript = 'typescript' in packages || context.has('tsconfig.json');
  const node = textAt(objectAt(json, 'engines'), 'node');
  const workspaces = workspaceFolders(json['workspaces']);
  return {
    name: textAt(json, 'name'),
    description: textAt(json, 'description'),
    languages: [isTypeScript ? 'TypeScript' : 'JavaScript'],
    tools: [
      node ? `Node.js ${node}` : 'Node.js',
      workspaces.length > 0 ? `${manager} workspaces` : manager,
      ...Object.keys(packages).flatMap((name) => KNOWN_TOOLS[name] ?? []),
    ],
    commands: [{ task: 'install', command: `${manager} install` }, ...scriptCommands(scripts, manager)],
    entries: entryFiles(json),
    packageFolders: workspaces,
  };
}

export function readDeno(content: string): ManifestFacts {
  const tasks = objectAt(parseObject(content), 'tasks');
  const commands = SCRIPTS.flatMap(([task, names]) => {
    const name = names.find((candidate) => candidate in tasks);
    return name ? [{ task, command: `deno task ${name}` }] : [];
  });
  const hasTest = commands.some(({ task }) => task === 'test');
  return {
    languages: ['TypeScript'],
    tools: ['Deno'],
    commands: hasTest ? commands : [...commands, { task: 'test', command: 'deno test' }],
  };
}

function scriptCommands(
  scripts: Record<string, unknown>,
  manager: string,
): { task: Task; command: string }[] {
  return SCRIPTS.flatMap(([task, names]) => {
    const name = names.find((candidate) => typeof scripts[candidate] === 'string');
    if (!name || String(scripts[name]).includes('no test specified')) return [];
    const short = name === 'test' || name === 'start';
    return [{ task, command: short && manager !== 'bun' ? `${manager} ${name}` : `${manager} run ${name}` }];
  });
}

function packageManager(json: Record<string, unknown>, context: ManifestContext): string {
  const declared = /^(npm|pnpm|yarn|bun)@/.exec(textAt(json, 'packageManager') ?? '')?.[1];
  if (declared) return declared;
  if (context.has('pnpm-lock.yaml')) return 'pnpm';
  if (context.has('yarn.lock')) return 'yarn';
  if (context.has('bun.lock') || context.has('bun.lockb')) return 'bun';
  return 'npm';
}

/** `packages/*` -> `packages`; single packages are found as ordinary folders. */
function workspaceFolders(value: unknown): string[] {
  const list = Array.isArray(value) ? value : objectOf(value)['packages'];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) =>
    typeof item === 'string' && /^[\w./-]+\/\*+$/.test(item) ? [item.replace(/\/\*+$/, '')] : [],
  );
}

/** Source files only: built files are not there to be read. */
function entryFiles(json: Record<string, unknown>): string[] {
  const bin = json['bin'];
  const candidates = [
    json['source'],
    json['main'],
    json['module'],
    ...(typeof bin === 'string' ? [bin] : Object.values(objectOf(bin))),
  ];
  return candidates.flatMap((item) => {
    if (typeof item !== 'string' || /(?:^|\/)(?:dist|build|out|lib\/cjs)\//.test(item)) return [];
    return [item.replace(/^\.\//, '')];
  });
}

/** Invalid or cut JSON counts as empty. */
export function parseObject(content: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(content));
  } catch {
    return {};
  }
}

export function textAt(object: Record<string, unknown>, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export function objectAt(object: Record<string, unknown>, key: string): Record<string, unknown> {
  return objectOf(object[key]);
}
