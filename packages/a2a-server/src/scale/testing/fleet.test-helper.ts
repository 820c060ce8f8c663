/** A fleet of real processes over a real PostgreSQL; the model is a scripted server. The API runs in this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Message, Role } from '@a2a-js/sdk';
import { type ModelServer, PostgresServer, startModelServer } from '@gemini-cli/test-utils/rig';
import { build } from 'esbuild';
import pg from 'pg';
import { tomlPlugin } from '../../../../../scripts/toml-plugin.mjs';
import type { AgentSettings, TaskEvent, TaskService } from '../../contract.js';
import { textPart } from '../../turns/events/event-factory.js';
import { createTurnRunner } from '../../turns/turn-runner.js';
import { openScaledService, type ScaledServiceOptions } from '../open-scaled-service.js';

/** Below the packages that the bundle leaves outside. */
const CACHE = join(import.meta.dirname, '../../../../../node_modules/.cache');
const BANNER =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);";

export interface FleetMember {
  child: ChildProcess;
  /** What it wrote to standard error. */
  errors: string[];
  /** Lines that it has printed. */
  lines: string[];
  ready: Promise<void>;
  ended: Promise<number | null>;
}

export class Fleet {
  readonly members = new Set<FleetMember>();
  private count = 0;
  private readonly apis: TaskService[] = [];

  private constructor(
    readonly postgres: PostgresServer,
    readonly url: string,
    readonly model: ModelServer,
    readonly folder: string,
    private readonly program: string,
  ) {}

  static async start(): Promise<Fleet> {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
    mkdirSync(join(folder, 'workspace'));
    const [postgres, model, program] = await Promise.all([
      PostgresServer.start(),
      startModelServer({ keepBodies: true }),
      bundle(),
    ]);
    const url = await postgres.createDatabase('fleet');
    return new Fleet(postgres, url, model, folder, program);
  }

  get workspace(): string {
    return join(this.folder, 'workspace');
  }

  get environment(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.folder,
      GEMINI_CLI_HOME: this.folder,
      GEMINI_API_KEY: 'key',
      GOOGLE_GEMINI_BASE_URL: this.model.url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      CODER_AGENT_DATABASE_URL: this.url,
      NODE_ENV: 'production',
    };
  }

  /** Accepts messages and shows events, in this process. */
  async api(options: Partial<ScaledServiceOptions> = {}): Promise<TaskService> {
    const runner = createTurnRunner({ env: this.environment, cwd: this.workspace });
    const { service } = await openScaledService({ url: this.url, role: 'api', runner, ...options });
    this.apis.push(service);
    return service;
  }

  async worker(labels: readonly string[] = [], env: Record<string, string> = {}): Promise<FleetMember> {
    const member = this.spawn(['worker', ...labels], env);
    await member.ready;
    return member;
  }

  reader(taskId: string, after: string): FleetMember {
    return this.spawn(['api', taskId, after]);
  }

  message(text: string, settings: Partial<AgentSettings> = {}, fields: Partial<Message> = {}): Message {
    const workspacePath = this.workspace;
    return {
      messageId: `m${++this.count}`,
      taskId: '',
      contextId: '',
      role: Role.ROLE_USER,
      parts: [textPart(text)],
      metadata: { coderAgent: { kind: 'agent-settings', workspacePath, autoExecute: true, ...settings } },
      extensions: [],
      referenceTaskIds: [],
      ...fields,
    };
  }

  async query(sql: string): Promise<pg.QueryResult> {
    const client = new pg.Client(this.url);
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }

  async kill(member: FleetMember, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    member.child.kill(signal);
    await member.ended;
  }

  async stop(): Promise<void> {
    await Promise.all(this.apis.map((api) => api.close({ drainMs: 0 }).catch(() => undefined)));
    for (const member of this.members) member.child.kill('SIGKILL');
    await Promise.all([...this.members].map(({ ended }) => ended));
    await this.model.close();
    await this.postgres.stop();
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.program, { force: true });
  }

  private spawn(words: string[], env: Record<string, string> = {}): FleetMember {
    const child = spawn(process.execPath, [this.program, ...words], {
      cwd: this.workspace,
      env: { ...this.environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines: string[] = [];
    const errors: string[] = [];
    const reader = createInterface({ input: child.stdout });
    child.stderr.on('data', (text: Buffer) => errors.push(text.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const ready = new Promise<void>((resolve, reject) => {
      reader.on('line', (line) => {
        lines.push(line);
        if (line === 'ready') resolve();
      });
      void ended.then((code) => reject(new Error(`The process ended with ${code}: ${errors.join('')}`)));
    });
    ready.catch(() => undefined);
    const member = { child, errors, lines, ready, ended };
    this.members.add(member);
    void ended.then(() => this.members.delete(member));
    return member;
  }
}

export async function readEvents(service: TaskService, taskId: string, after?: string): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  const { signal } = new AbortController();
  for await (const event of service.events(taskId, { ...(after && { after }), signal })) events.push(event);
  return events;
}

/** Lines of a file that commands of tools write. */
export function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** One file, which starts faster than the sources. */
async function bundle(): Promise<string> {
  const outfile = join(CACHE, `fleet-process-${process.pid}-${Date.now().toString(36)}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, 'fleet-process.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['gemini-source'],
    external: [
      '@dbos-inc/dbos-sdk',
      '@dbos-inc/dbos-sdk/*',
      'pg',
      '@lydell/node-pty',
      '@lydell/node-pty-*',
      '@vscode/ripgrep',
      'playwright-core',
    ],
    banner: { js: BANNER },
    loader: { '.md': 'text' },
    define: {
      __VERSION__: '"0.0.0-test"',
      __COMMIT__: '"test"',
      __SANDBOX_IMAGE__: '"none"',
      __DEV__: 'false',
    },
    plugins: [tomlPlugin],
    logLevel: 'error',
    logOverride: { 'empty-import-meta': 'silent' },
  });
  return outfile;
}
