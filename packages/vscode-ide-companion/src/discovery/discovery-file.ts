/** The file by which programs find this window: written privately, replaced at once, removed when it is stale. */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Discovery } from '../protocol.js';

const NAME = /^gemini-ide-server-(\d+)-(\d+)\.json$/;

export class DiscoveryFile {
  readonly path: string;
  private readonly folder: string;

  constructor(temporaryFolder: string, pid: number, port: number) {
    this.folder = join(temporaryFolder, 'gemini', 'ide');
    this.path = join(this.folder, `gemini-ide-server-${pid}-${port}.json`);
  }

  /** @throws when the folder belongs to another user or cannot be written */
  write(content: Discovery): void {
    makePrivateFolder(join(this.folder, '..'));
    makePrivateFolder(this.folder);
    // Readers see the old file or the new one; the name of the new one matches no pattern of theirs.
    const draft = join(this.folder, `.${randomUUID()}.draft`);
    try {
      writeFileSync(draft, JSON.stringify(content), { mode: 0o600, flag: 'wx' });
      renameSync(draft, this.path);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  remove(): void {
    if (existsSync(this.path)) rmSync(this.path);
  }

  /** Removes files that windows left behind which did not end properly. Those of other users stay. */
  async removeStale(): Promise<void> {
    for (const name of list(this.folder)) {
      const path = join(this.folder, name);
      const [, pid, port] = NAME.exec(name) ?? [];
      if (pid === undefined || path === this.path || !isOurs(path)) continue;
      if (isRunning(Number(pid)) && (await listens(Number(port)))) continue;
      rmSync(path, { force: true });
    }
  }
}

function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { mode } = lstatSync(path);
  // A link would lead the token to a folder that another user chose.
  if (!lstatSync(path).isDirectory() || !isOurs(path))
    throw new Error(`${path} is not a folder of yours. Remove it, or set TMPDIR to a folder of your own.`);
  if ((mode & 0o077) !== 0 && process.platform !== 'win32') chmodSync(path, 0o700);
}

function isOurs(path: string): boolean {
  const uid = process.getuid?.();
  try {
    return uid === undefined || lstatSync(path).uid === uid;
  } catch {
    return false;
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A process may outlive its windows: a remote server, or a window that was killed. */
function listens(port: number): Promise<boolean> {
  if (port > 65_535) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const settle = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}
