/** A PostgreSQL server of a test: a cluster in a temporary folder on a free port of 127.0.0.1, gone with the test. */
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_TRIES = 50;
const RETRY_MS = 100;
const PACKAGES = '/usr/lib/postgresql';

export class PostgresServer {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** Needs the Debian package `postgresql`, which `npm test` installs as root. */
  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
    const { uid, gid } = (await account()) ?? {};
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const server = new PostgresServer(folder, await freePort());
    const data = ['-D', server.data];
    await command(
      'initdb',
      [...data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
      folder,
    );
    await server.startAgain();
    return server;
  }

  get url(): string {
    return this.urlOf('postgres');
  }

  /** A database of its own for one test. */
  async createDatabase(name: string): Promise<string> {
    await command(
      'psql',
      ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres', '-c', `CREATE DATABASE "${name}"`],
      this.folder,
    );
    return this.urlOf(name);
  }

  /** After `kill`. Until all its processes are gone, their shared memory prevents a start. */
  async startAgain(): Promise<void> {
    const options = `-p ${this.port} -k ${this.folder} -c listen_addresses=127.0.0.1 -c max_connections=300 -c fsync=off`;
    const words = ['-D', this.data, '-w', '-l', join(this.folder, 'log'), '-o', options, 'start'];
    for (let tries = 1; ; tries++) {
      try {
        return await command('pg_ctl', words, this.folder);
      } catch (error) {
        if (tries === MAX_TRIES) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  /** Its processes end at once, without a word to their clients. */
  kill(): void {
    const pid = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    // The number in the file may be another process's by now.
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (!words.includes(this.data)) throw new Error(`Process ${pid} is not the database in ${this.data}.`);
    process.kill(pid, 'SIGKILL');
  }

  async stop(): Promise<void> {
    await command('pg_ctl', ['-D', this.data, '-m', 'immediate', 'stop'], this.folder).catch(() => undefined);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  private urlOf(name: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${name}`;
  }
}

/** PostgreSQL refuses to run as root, so its own account does. */
async function account(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { stdout } = await run('getent', ['passwd', 'postgres']);
  const [, , uid, gid] = stdout.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

async function command(name: string, args: string[], cwd: string): Promise<void> {
  const options = { cwd, ...(await account()), env: { PATH: process.env['PATH'], LANG: 'C', TZ: 'UTC' } };
  await run(join(binaries(), name), args, options);
}

function binaries(): string {
  const versions = existsSync(PACKAGES) ? readdirSync(PACKAGES).map(Number).filter(Boolean) : [];
  if (versions.length === 0)
    throw new Error('PostgreSQL is missing. Install it, on Debian: apt-get install postgresql');
  return join(PACKAGES, String(Math.max(...versions)), 'bin');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('No free port.');
  return address.port;
}
