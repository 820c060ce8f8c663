/** The packed SDK as a new user has it: types, both ways to import it, and the examples of its page. */
import { execFile, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer, text } from '@gemini-cli/test-utils/rig';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type PackedFolder, packedSdk } from './packed-sdk.js';

const repo = join(import.meta.dirname, '../..');

describe('The packed SDK, installed outside the workspace', () => {
  let packed: PackedFolder;

  beforeAll(async () => {
    packed = await packedSdk();
    writeFileSync(join(packed.folder, 'package.json'), '{"type":"module"}');
  }, 120_000);
  afterAll(() => packed?.remove());

  const start = async (code: string, model?: ModelServer, folder = packed.folder) => {
    const file = join(folder, `program-${Math.random().toString(36).slice(2)}.mjs`);
    writeFileSync(file, code);
    const env = {
      PATH: process.env['PATH'],
      HOME: join(packed.folder, 'home'),
      GEMINI_CLI_HOME: join(packed.folder, 'home'),
      GEMINI_API_KEY: 'test-key',
      GEMINI_MODEL: 'gemini-2.5-flash',
      ...(model && { GOOGLE_GEMINI_BASE_URL: model.url }),
    };
    return new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [file], { cwd: packed.folder, env }, (error, stdout, stderr) =>
        error ? reject(new Error(`${code}\n${stderr}`)) : resolve(stdout),
      );
    });
  };
  const server = async () => {
    const model = await startModelServer();
    onTestFinished(() => model.close());
    model.otherwise(() => [text('An answer.')]);
    return model;
  };

  it('runs a prompt, imported from the SDK and from the command line’s package', async () => {
    const program = (name: string) => `
      import { GeminiCliAgent, subagent } from '${name}';
      const mine = new GeminiCliAgent({ trust: true, subagents: [subagent({ name: 'a', description: 'b', instructions: 'c' })] });
      console.log((await mine.send('hi')).text);
      await mine.dispose();`;
    const model = await server();
    expect(await start(program('@gemini-cli/sdk'), model)).toBe('An answer.\n');
    expect(await start(program('@gemini-cli/cli'), model)).toBe('An answer.\n');
  });

  it('stays until a prompt has ended, though nothing but its own time limit waits for it', async () => {
    const program = `
      import { fakeModel, GeminiCliAgent, tool, z } from '@gemini-cli/sdk';
      const hangs = tool({ name: 'hangs', description: 'h', inputSchema: z.object({}) }, () => new Promise(() => {}));
      const fakeResponses = fakeModel([{ calls: [{ name: 'hangs' }] }]);
      const agent = new GeminiCliAgent({ trust: true, persist: false, tools: [hangs], fakeResponses });
      console.log((await agent.send('go', { signal: AbortSignal.timeout(200) })).finishReason);
      await agent.dispose();`;
    expect(await start(program)).toBe('cancelled\n');
  });

  it.runIf(process.platform !== 'win32').each(['SIGINT', 'SIGKILL'] as const)(
    'ends its commands when the program dies of %s',
    async (signal) => {
      const folder = join(packed.folder, signal);
      mkdirSync(folder);
      const file = join(packed.folder, `dies-of-${signal}.mjs`);
      writeFileSync(file, TWO_COMMANDS);
      const home = join(packed.folder, 'home');
      const env = { PATH: process.env['PATH'], HOME: home, GEMINI_CLI_HOME: home, FOLDER: folder };
      const program = spawn(process.execPath, [file], { env });
      const pidIn = (name: string) => {
        const path = join(folder, name);
        return existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
      };
      const pids = await vi.waitUntil(
        () => {
          const both = [pidIn('model'), pidIn('program')];
          return both.every((pid) => pid > 0) && both;
        },
        { timeout: 20_000, interval: 50 },
      );
      program.kill(signal);
      await vi.waitUntil(() => !pids.some(isAlive), { timeout: 10_000, interval: 50 });
    },
    60_000,
  );

  it('answers to the names of the page’s alias lines, with nothing else installed', async () => {
    const page = readFileSync(join(repo, 'docs/sdk.md'), 'utf8');
    const { dependencies } = JSON.parse(/```json\n(\{\s*"dependencies".*?)```/s.exec(page)?.[1] ?? '{}');
    const aliased = join(packed.folder, 'aliased');
    const installed = (name: string) => join(packed.folder, 'node_modules', name);
    // As npm does: each line is a folder, beside the packages they need.
    const folders: Record<string, string> = { '@gemini-cli/core': '@gemini-cli/core' };
    for (const [name, version] of Object.entries<string>(dependencies))
      folders[name] = /^npm:(.+)@/.exec(version)?.[1] ?? name;
    for (const [name, source] of Object.entries(folders))
      cpSync(installed(source), join(aliased, 'node_modules', name), { recursive: true });
    for (const library of ['@agentclientprotocol', 'zod'])
      symlinkSync(installed(library), join(aliased, 'node_modules', library), 'junction');
    const names = ['@google/gemini-cli-sdk', '@google/gemini-sdk', '@google/gemini-cli'];
    const program = `
      ${names.map((name, index) => `import * as p${index} from '${name}';`).join('\n')}
      import { GeminiCliAcpServer } from '@google/gemini-cli-sdk/acp';
      const { tool, z, ModelVisibleError } = p1;
      const ping = tool({ name: 'ping', description: 'p', inputSchema: z.object({}) }, () => { throw new ModelVisibleError('pong'); });
      const model = p2.fakeModel([{ calls: [{ name: 'ping' }] }, 'done']);
      const agent = new p0.GeminiCliAgent({ trust: true, persist: false, tools: [ping], fakeResponses: model });
      console.log(typeof GeminiCliAcpServer, (await agent.send('go')).text, JSON.stringify(model.requests[1].contents).includes('pong'));
      await agent.dispose();`;
    expect(await start(program, undefined, aliased)).toBe('function done true\n');
  });

  it('has types that a strict program can check, without any, and without internals', async () => {
    const folder = join(packed.folder, 'typed');
    mkdirSync(folder);
    writeFileSync(join(folder, 'program.ts'), TYPED);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(STRICT));
    const compiler = join(repo, 'node_modules/typescript/bin/tsc');
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, [compiler, '-p', folder], { cwd: folder }, (_error, stdout) =>
        resolve(stdout),
      );
    });
    expect(output).toBe('');
    const types = join(packed.folder, 'node_modules/@gemini-cli/sdk/dist/types');
    const files = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.d.ts'),
    );
    expect(files).toContain('index.d.ts');
    for (const file of files) {
      const code = readFileSync(join(types, file), 'utf8').replaceAll(
        /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'[^'\n]*'/g,
        (match) => (match.startsWith("'") ? match : ''),
      );
      expect(code.match(/[:<|&(,=]\s*any\b/g), file).toBeNull();
      const packages = [...code.matchAll(/from '([^.'][^']*)'|import\('([^.'][^']*)'\)/g)].map(
        ([, a, b]) => a ?? b,
      );
      for (const name of packages)
        expect([
          'zod',
          '@gemini-cli/core',
          '@gemini-cli/core/protocol',
          '@agentclientprotocol/sdk',
          'node:stream',
        ]).toContain(name);
    }
  }, 120_000);

  it('runs the examples of docs/sdk.md', async () => {
    const page = readFileSync(join(repo, 'docs/sdk.md'), 'utf8');
    const examples = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
    expect(examples.length).toBeGreaterThan(8);
    const model = await server();
    const outputs: string[] = [];
    for (const code of examples) outputs.push(await start(code, model));
    expect(outputs[0]).toMatch(/^An answer\. 0 \d+\n$/);
    expect(outputs[1]).toBe('An answer.');
    expect(outputs.at(-1)).toMatch(/^Two files\.\ntrue /);
  }, 120_000);

  it('holds no file that imports what the joined files do not export', async () => {
    const dists = ['core', 'sdk'].map((name) =>
      join(packed.folder, 'node_modules/@gemini-cli', name, 'dist'),
    );
    const files = dists.flatMap((dist) =>
      ['.', 'chunks'].flatMap((folder) =>
        readdirSync(join(dist, folder)).map((name) => join(dist, folder, name)),
      ),
    );
    const modules = files.filter((file) => file.endsWith('.js'));
    expect(modules.length).toBeGreaterThan(100);
    const program = `for (const file of ${JSON.stringify(modules)}) await import(file);\nprocess.exit(0);`;
    expect(await start(program)).toBe('');
  });

  it('starts a session with the engine, without the rest of core', () => {
    const chunks = join(packed.folder, 'node_modules/@gemini-cli/sdk/dist/chunks');
    const text = readFileSync(join(chunks, 'session.js'), 'utf8');
    const imported = [...text.matchAll(/^(?:import|\} from)[^;]*"(@gemini-cli\/[^"]+)";$/gm)];
    expect(new Set(imported.map(([, name]) => name))).toEqual(new Set(['@gemini-cli/core/for-sdk']));
  });

  it('loads nothing of core before the first session', () => {
    const dist = join(packed.folder, 'node_modules/@gemini-cli/sdk/dist');
    const files = new Set([join(dist, 'index.js')]);
    const packages = new Set<string>();
    for (const file of files)
      for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
        /^(?:import|\} from|export)[^;]*"([^"]+)";$/gm,
      )) {
        if (path.startsWith('.')) files.add(join(file, '..', path));
        else packages.add(path);
      }
    expect([...packages].filter((name) => name.startsWith('@gemini-cli'))).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** One of the model, and one of the program itself. */
const TWO_COMMANDS = `
import { fakeModel, GeminiCliAgent } from '@gemini-cli/sdk';

const args = { command: 'echo $$ > model; sleep 300; true' };
const fakeResponses = fakeModel([{ calls: [{ name: 'run_shell_command', args }] }]);
const cwd = process.env.FOLDER;
const agent = new GeminiCliAgent({ cwd, trust: true, persist: false, approvalMode: 'yolo', fakeResponses });
const session = agent.session();
await session.initialize();
session.context().shell.start('echo $$ > program; sleep 300; true');
await session.send('go');
`;

const TYPED = `
import { GeminiCliAgent, hook, tool, z } from '@gemini-cli/sdk';
import type { AgentStreamEvent, SendResult } from '@gemini-cli/sdk';

const add = tool({ name: 'add', description: 'adds', inputSchema: z.object({ a: z.number() }) }, ({ a }) => a + 1);
const guard = hook({ event: 'BeforeTool', name: 'g' }, ({ toolInput }) =>
  toolInput.path === '' ? { decision: 'deny' } : undefined,
);
const agent = new GeminiCliAgent({ tools: [add], hooks: [guard], settings: { model: { name: 'x' } } });
export async function run(): Promise<SendResult> {
  for await (const event of agent.sendStream('x')) use(event);
  return agent.send('x');
}
declare function use(event: AgentStreamEvent): void;
`;

const STRICT = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023', 'ESNext.Disposable'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: ['node'],
  },
};
