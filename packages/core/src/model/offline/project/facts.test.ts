import { describe, expect, it } from 'vitest';
import { combineFacts, commandFor, manifestsIn } from './facts.js';
import type { Task } from './types.js';

interface Folder {
  [file: string]: string;
}

function facts(files: Folder, folders: string[] = []) {
  const listing = { directory: '/p', folders, files: Object.keys(files), ignored: 0 };
  const manifests = manifestsIn(listing);
  return combineFacts(
    manifests.map((file) => ({ file, content: files[file] ?? '' })),
    listing,
  );
}

function commands(files: Folder, folders: string[] = []): Partial<Record<Task, string>> {
  const found = facts(files, folders);
  const tasks: Task[] = ['install', 'build', 'run', 'test', 'lint', 'typecheck'];
  return Object.fromEntries(
    tasks.flatMap((task) => {
      const command = commandFor(found, task)?.command;
      return command ? [[task, command]] : [];
    }),
  );
}

const SCRIPTS = JSON.stringify({ scripts: { test: 'vitest', build: 'x', start: 'y', lint: 'z' } });

describe('commands of a project', () => {
  it.each<[string, Folder, object]>([
    [
      'npm',
      { 'package.json': SCRIPTS },
      {
        install: 'npm install',
        build: 'npm run build',
        run: 'npm start',
        test: 'npm test',
        lint: 'npm run lint',
      },
    ],
    [
      'pnpm',
      { 'package.json': SCRIPTS, 'pnpm-lock.yaml': '' },
      {
        install: 'pnpm install',
        build: 'pnpm run build',
        run: 'pnpm start',
        test: 'pnpm test',
        lint: 'pnpm run lint',
      },
    ],
    [
      'yarn',
      { 'package.json': '{"scripts":{"test":"x"}}', 'yarn.lock': '' },
      { install: 'yarn install', test: 'yarn test' },
    ],
    [
      'bun',
      { 'package.json': '{"packageManager":"bun@1.1.0","scripts":{"test":"x"}}' },
      { install: 'bun install', test: 'bun run test' },
    ],
    [
      'npm without tests',
      { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
      { install: 'npm install' },
    ],
    ['npm with a broken manifest', { 'package.json': '{' }, { install: 'npm install' }],
    [
      'uv',
      { 'pyproject.toml': '[project]\nname = "a"\ndependencies = ["pytest", "ruff"]\n', 'uv.lock': '' },
      { install: 'uv sync', test: 'uv run pytest', lint: 'uv run ruff check .' },
    ],
    [
      'poetry',
      {
        'pyproject.toml': '[tool.poetry]\nname = "a"\n[tool.poetry.scripts]\nacme = "a:b"\n',
        'conftest.py': '',
      },
      { install: 'poetry install', run: 'poetry run acme', test: 'poetry run pytest' },
    ],
    [
      'pytest only in the development requirements',
      { 'pyproject.toml': '[project]\nname = "a"\n', 'requirements-dev.txt': 'pytest\n', 'test_a.py': '' },
      { install: 'pip install -e .', test: 'python3 -m pytest' },
    ],
    [
      'Python tests without anything else',
      { 'test_a.py': 'import unittest' },
      { test: 'python3 -m unittest discover' },
    ],
    [
      'cargo',
      { 'Cargo.toml': '[package]\nname = "a"\n[[bin]]\nname = "a"\n' },
      { build: 'cargo build', run: 'cargo run', test: 'cargo test', lint: 'cargo clippy' },
    ],
    [
      'go',
      { 'go.mod': 'module x\n' },
      { build: 'go build ./...', test: 'go test ./...', lint: 'go vet ./...' },
    ],
    [
      'make',
      { Makefile: 'CC := gcc\n.PHONY: test\nall: x\ntest: all\n\t./t\n' },
      { build: 'make all', test: 'make test' },
    ],
    [
      'maven wrapper',
      { 'pom.xml': '<project><artifactId>a</artifactId></project>', mvnw: '' },
      { build: './mvnw package', test: './mvnw test' },
    ],
    [
      'gradle',
      { 'build.gradle.kts': 'plugins { application }' },
      { build: 'gradle build', run: 'gradle run', test: 'gradle test' },
    ],
    [
      'a language manifest before make',
      { 'go.mod': 'module x\n', Makefile: 'test:\n' },
      { build: 'go build ./...', test: 'go test ./...', lint: 'go vet ./...' },
    ],
    ['nothing', { 'notes.txt': '' }, {}],
  ])('%s', (_, files, expected) => {
    expect(commands(files)).toEqual(expected);
  });
});

describe('the facts of manifests', () => {
  it('describe a workspace in TypeScript', () => {
    const json = JSON.stringify({
      name: 'a',
      description: 'Does a.',
      workspaces: ['packages/*', 'tools/one'],
      engines: { node: '>=20' },
      bin: { a: 'src/cli.ts', b: 'dist/b.js' },
      devDependencies: { typescript: '5', vitest: '4' },
    });
    expect(facts({ 'package.json': json })).toEqual({
      name: 'a',
      description: { text: 'Does a.', from: 'package.json' },
      languages: ['TypeScript'],
      tools: ['Node.js >=20', 'npm workspaces', 'Vitest'],
      commands: [{ task: 'install', command: 'npm install', from: 'package.json' }],
      entries: ['src/cli.ts'],
      packageFolders: ['packages'],
      manifests: ['package.json'],
    });
  });

  it('describe a Cargo workspace and a Maven module below a parent', () => {
    const cargo = facts({
      'Cargo.toml':
        '[workspace]\nmembers = ["crates/*"]\n[workspace.package]\ndescription = "All \\"of\\" it"\n',
    });
    expect([cargo.packageFolders, cargo.description?.text]).toEqual([['crates'], 'All "of" it']);
    const pom =
      '<project><parent><artifactId>up</artifactId></parent><artifactId>own</artifactId><description>d</description></project>';
    const maven = facts({ 'pom.xml': pom });
    expect([maven.name, maven.description?.text]).toEqual(['own', 'd']);
  });
});
