/** A temporary home and workspace, a scripted model, and the built program run against them. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { BUNDLE, compiledCode } from './bundle.js';
import { type ModelServer, startModelServer } from './model-server.js';
import { type RunningProcess, type RunResult, runProcess } from './running-cli.js';
import { type Screen, type ScreenOptions, startScreen } from './screen.js';

export interface RigOptions {
  /** Workspace files by relative path. */
  files?: Record<string, string | Uint8Array>;
  /** Environment of every run; undefined removes a variable of the rig. */
  env?: Record<string, string | undefined>;
  /** The user's `settings.json`; a string is written as it is. */
  settings?: object | string;
  /** Whether the user has trusted the workspace; default true. False: no rule is written. */
  trust?: boolean;
  /** The program has never run in this home: it has no compiled code of an earlier run. */
  isFirstRun?: boolean;
  /** Another Node to run the program with. */
  node?: string;
  /** Another copy of the program, e.g. an installed one. */
  program?: string;
}

export interface CliOptions {
  stdin?: string | Uint8Array | 'open';
  env?: Record<string, string | undefined>;
  cwd?: string;
  timeoutMs?: number;
  /** Sends this signal when the model receives its n-th request. */
  signalAfter?: { request: number; signal: NodeJS.Signals };
  /** Runs the program inside another one, e.g. `['unshare', '-rm', …]`. */
  under?: string[];
}

type CliArguments = [...string[], CliOptions] | string[];

/**
 * @example
 * const rig = await testRig({ files: { 'a.txt': 'one' } });
 * rig.model.replies([callTool('read_file', { file_path: 'a.txt' })], [text('done')]);
 * const run = await rig.cli('-p', 'read it');
 */
export async function testRig(options: RigOptions = {}): Promise<TestRig> {
  if (!existsSync(BUNDLE)) throw new Error(`${BUNDLE} is missing: run "npm run build" first.`);
  const rig = new TestRig(options, await startModelServer());
  onTestFinished(() => rig.cleanup());
  return rig;
}

export class TestRig {
  readonly home: string;
  readonly workspace: string;
  private readonly node: string;
  private readonly program: string;
  private readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-rig-')));
  private readonly running = new Set<RunningProcess>();
  private readonly screens = new Set<Screen>();

  constructor(
    private readonly options: RigOptions,
    readonly model: ModelServer,
  ) {
    this.node = options.node ?? process.execPath;
    this.program = options.program ?? BUNDLE;
    this.home = join(this.root, 'home');
    this.workspace = join(this.root, 'workspace');
    mkdirSync(join(this.home, '.gemini'), { recursive: true });
    mkdirSync(this.workspace);
    for (const [path, content] of Object.entries(options.files ?? {})) this.write(path, content);
    const { settings, trust = true, isFirstRun = false } = options;
    if (!isFirstRun) compiledCode.giveTo(this.home);
    if (trust) {
      this.writeHome('trustedFolders.json', JSON.stringify({ [this.workspace]: 'TRUST_FOLDER' }));
    }
    if (settings !== undefined) {
      this.writeHome('settings.json', typeof settings === 'string' ? settings : JSON.stringify(settings));
    }
  }

  /** Runs the program to its end. */
  cli(...args: CliArguments): Promise<RunResult> {
    return this.spawn(...args).done;
  }

  /** Starts the program, for tests that talk to it or signal it while it runs. */
  spawn(...args: CliArguments): RunningProcess {
    const { words, options } = split(args);
    const [command = '', ...prefix] = [...(options.under ?? []), this.node];
    const run = runProcess(command, [...prefix, this.program, ...words], {
      cwd: options.cwd ?? this.workspace,
      env: this.environment(options.env),
      timeoutMs: options.timeoutMs ?? 50_000,
      stdin: options.stdin,
    });
    this.running.add(run);
    const { signalAfter } = options;
    if (signalAfter) {
      void this.model.waitForRequest(signalAfter.request).then(() => run.kill(signalAfter.signal));
    }
    return run;
  }

  /** Runs another program in the workspace, with the same environment. */
  run(command: string, args: string[], { env, timeoutMs = 50_000 }: CliOptions = {}): Promise<RunResult> {
    const run = runProcess(command, args, { cwd: this.workspace, env: this.environment(env), timeoutMs });
    this.running.add(run);
    return run.done;
  }

  /** Starts the program in a pseudo-terminal. */
  async screen(
    args: string[],
    { under = [], ...options }: Partial<ScreenOptions> & Pick<CliOptions, 'under'> = {},
  ): Promise<Screen> {
    // Marked as not the first start, which would show tips.
    const state = join(this.home, '.gemini', 'state.json');
    if (!existsSync(state)) writeAt(state, JSON.stringify({ tipsShown: 10 }));
    const [command = this.node, ...rest] = [...under, this.node, this.program, ...args];
    const screen = await startScreen(command, rest, {
      cwd: this.workspace,
      ...options,
      env: this.environment(options.env),
    });
    this.screens.add(screen);
    return screen;
  }

  path(relative: string): string {
    return resolve(this.workspace, relative);
  }

  write(relative: string, content: string | Uint8Array): string {
    return writeAt(this.path(relative), content);
  }

  /** A large sparse file that begins with `start`. */
  writeSparse(relative: string, bytes: number, start = ''): string {
    const path = this.write(relative, start);
    truncateSync(path, bytes);
    return path;
  }

  /** A file below `~/.gemini`. */
  writeHome(relative: string, content: string | Uint8Array): string {
    return writeAt(join(this.home, '.gemini', relative), content);
  }

  read(relative: string): string {
    return readFileSync(this.path(relative), 'utf8');
  }

  readBytes(relative: string): Buffer {
    return readFileSync(this.path(relative));
  }

  exists(relative: string): boolean {
    return existsSync(this.path(relative));
  }

  /** Resolves when the file exists. */
  waitForFile(relative: string): Promise<void> {
    return new Promise((done) => {
      const watcher = watch(dirname(this.path(relative)), check);
      const rig = this;
      check(); // it may have been created before the watcher
      function check(): void {
        if (!rig.exists(relative)) return;
        watcher.close();
        done();
      }
    });
  }

  /** Called after the test. Fails it when the model got a request without a scripted reply. */
  async cleanup(): Promise<void> {
    for (const run of this.running) run.killGroup();
    for (const screen of this.screens) screen.kill();
    await this.model.close();
    if (!this.options.isFirstRun) compiledCode.keepFrom(this.home);
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
    const [surprise] = this.model.unexpected;
    if (surprise) {
      const asked = JSON.stringify(surprise.body.contents.at(-1) ?? surprise.path).slice(0, 400);
      throw new Error(`Call ${surprise.index + 1} of the model was not scripted: ${asked}`);
    }
  }

  /** Of every run; inherits only PATH: no CI, no NODE_*, no keys. */
  environment(extra: Record<string, string | undefined> = {}): Record<string, string> {
    const merged = {
      PATH: process.env['PATH'],
      HOME: this.home,
      GEMINI_CLI_HOME: this.home,
      GEMINI_API_KEY: 'test',
      GOOGLE_GEMINI_BASE_URL: this.model.url,
      ...this.options.env,
      ...extra,
    };
    const env: Record<string, string> = {};
    for (const [name, value] of Object.entries(merged)) if (value !== undefined) env[name] = value;
    return env;
  }
}

function split(args: CliArguments): { words: string[]; options: CliOptions } {
  const last = args.at(-1);
  if (typeof last !== 'object') return { words: args as string[], options: {} };
  return { words: args.slice(0, -1) as string[], options: last };
}

function writeAt(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
