import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const repo = join(import.meta.dirname, '../..');
const core = join(repo, 'packages/core');
const manifest = JSON.parse(readFileSync(join(core, 'package.json'), 'utf8'));

describe('The packed core, installed outside the workspace', () => {
  let folder: string;

  beforeAll(async () => {
    if (!existsSync(join(core, 'dist/index.js'))) throw new Error('Run "npm run build" before this test.');
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'core-consumer-')));
    await installPacked(folder);
    cpSync(join(import.meta.dirname, 'consumer'), folder, { recursive: true });
    writeFileSync(join(folder, 'responses.jsonl'), RESPONSES.map((line) => JSON.stringify(line)).join('\n'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(STRICT));
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = async (program: string) => {
    const env = { PATH: process.env['PATH'], GEMINI_CLI_HOME: join(folder, 'home') };
    const { stdout } = await run(process.execPath, [program], { cwd: folder, env });
    return stdout;
  };

  it('runs a prompt with tools from an ES module; grammar and worker are found', async () => {
    expect(JSON.parse(await start('program.mjs'))).toEqual({
      version: manifest.version,
      answer: 'Hello from the replay.',
      tools: ['run_shell_command: success', 'write_file: success'],
      hasSnapshots: true,
      notices: [],
    });
    expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('made');
  });

  it('runs a prompt from CommonJS', async () => {
    expect(JSON.parse(await start('program.cjs'))).toEqual({
      version: manifest.version,
      answer: 'Hello from the replay.',
    });
  });

  it('has types that a strict consumer can check, declarations of libraries included', async () => {
    const compiler = join(repo, 'node_modules/typescript/bin/tsc');
    const checked = await run(process.execPath, [compiler, '-p', folder], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    expect(checked.stdout).toBe('');
  });

  it('runs the examples of docs/core-library.md', async () => {
    const page = readFileSync(join(repo, 'docs/core-library.md'), 'utf8');
    const examples = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
    const [prompt = '', project = '', questions = '', agents = '', ...rest] = examples;
    const runnable = [
      // It asks a Google model; here the built-in guide answers.
      prompt.replace('gemini-2.5-flash', 'offline'),
      // Three parts of one program.
      `${project}${questions}${agents}stop();\nawait config.shutdown();\n`,
      ...rest,
    ];
    const outputs: string[] = [];
    for (const [index, code] of runnable.entries()) {
      writeFileSync(join(folder, `example-${index}.mjs`), code);
      outputs.push(await start(`example-${index}.mjs`));
    }
    expect(outputs).toEqual([
      expect.stringMatching(/\w/),
      expect.stringContaining('package.json'),
      'throw_dice success\nYou threw a 4.\n',
      '',
    ]);
  });

  it('contains no sources and no prose files but the templates of extensions', () => {
    const files = readdirSync(join(folder, 'node_modules', manifest.name), {
      recursive: true,
      encoding: 'utf8',
    });
    const own = files.filter((name) => !name.startsWith(join('dist', 'extension-templates')));
    expect(own.filter((name) => /(?<!README|SKILL)\.md$|(?<!\.d)\.ts$|^src\b/.test(name))).toEqual([]);
  });

  it('loads no library before it is used, and for the protocol nothing else at all', () => {
    const dist = join(folder, 'node_modules', manifest.name, 'dist');
    for (const entry of ['index.js', 'tools.js', 'testing.js']) {
      expect(packagesLoadedWith(join(dist, entry)).filter((name) => !name.startsWith('node:'))).toEqual([]);
    }
    expect(packagesLoadedWith(join(dist, 'protocol.js'))).toEqual([]);
  });
});

/** As `npm install <tarball>` would, but without a network: dependencies are linked from the workspace. */
async function installPacked(folder: string): Promise<void> {
  await run(process.execPath, [join(repo, 'scripts/pack.mjs'), '--built', folder]);
  const tarball = readdirSync(folder).find((name) => name.startsWith('gemini-cli-core-')) ?? '';
  const target = join(folder, 'node_modules', manifest.name);
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', join(folder, tarball), '-C', target, '--strip-components=1']);
  for (const name of [...Object.keys(manifest.dependencies), '@types/node']) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(installed(name), link, 'junction');
  }
}

/** Names of the packages that are loaded together with a built module. */
function packagesLoadedWith(entry: string): string[] {
  const packages = new Set<string>();
  const files = new Set([entry]);
  for (const file of files) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|\} from|export).*"([^"]+)";$/gm,
    )) {
      if (path.startsWith('.')) files.add(join(dirname(file), path));
      else packages.add(path);
    }
  }
  return [...packages];
}

function installed(name: string): string {
  const own = join(core, 'node_modules', name);
  return realpathSync(existsSync(own) ? own : join(repo, 'node_modules', name));
}

const STRICT = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noEmit: true,
    types: ['node'],
  },
  files: ['types.ts', 'api-names.test-d.ts', 'api-names-additions.test-d.ts'],
};

const call = (name: string, args: object) => stream({ functionCall: { name, args } });

function stream(part: object) {
  const response = [{ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }];
  return { method: 'generateContentStream', response };
}

const RESPONSES = [
  call('run_shell_command', { command: 'printf a && printf b' }),
  call('write_file', { file_path: 'made.txt', content: 'made' }),
  stream({ text: 'Hello from the replay.' }),
];
