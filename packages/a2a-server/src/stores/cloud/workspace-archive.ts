/** The workspace of a task as `tasks/<id>/workspace.tar.gz`, for a server on another machine. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createLog } from '@gemini-cli/core';
import { extractTar } from '@gemini-cli/core/server';
import type { Bucket } from './bucket.js';
import { stateOfFolder, tarOfFolder } from './tar-writer.js';

const MB = 1024 * 1024;
const LIMITS = { bytes: 512 * MB, entries: 100_000 };
const EXTRACTION = {
  archiveBytes: 512 * MB,
  totalBytes: 1_024 * MB,
  entries: LIMITS.entries,
  ratio: 1_000,
  ratioFromBytes: 100 * MB,
};

const log = createLog('cloud-store');
const zipped = promisify(gzip);

export class WorkspaceArchive {
  /** What was uploaded last, by task. */
  private readonly states = new Map<string, string>();

  constructor(private readonly bucket: Bucket) {}

  async save(taskId: string, folder: string): Promise<void> {
    if (!existsSync(folder)) return;
    const state = createHash('sha256')
      .update(await stateOfFolder(folder, LIMITS))
      .digest('hex');
    if (this.states.get(taskId) === state) return;
    const { tar, isCut } = await tarOfFolder(folder, LIMITS);
    if (isCut)
      return log.warn(`the workspace ${folder} is too large for Cloud Storage; it stays on this machine`);
    await this.bucket.put(nameOf(taskId), await zipped(tar));
    this.states.set(taskId, state);
  }

  /** Only where there is nothing yet: files of this machine are newer. */
  async restore(taskId: string, folder: string): Promise<void> {
    if (existsSync(folder) && readdirSync(folder).length > 0) return;
    const bytes = await this.bucket.get(nameOf(taskId));
    if (!bytes) return;
    const temporary = mkdtempSync(join(tmpdir(), 'gemini-workspace-'));
    try {
      const file = join(temporary, 'workspace.tar.gz');
      writeFileSync(file, bytes);
      mkdirSync(folder, { recursive: true });
      await extractTar(file, folder, { limits: EXTRACTION, what: 'workspace', allowsLinks: true });
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  }

  async delete(taskId: string): Promise<void> {
    this.states.delete(taskId);
    await this.bucket.delete(nameOf(taskId));
  }
}

function nameOf(taskId: string): string {
  return `tasks/${taskId}/workspace.tar.gz`;
}
