/** Targets of push notifications in the folder of the tasks. The files hold credentials of receivers: mode 0600. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@gemini-cli/core/server';
import { requireTaskId } from '../stores/task-id.js';
import { type PushStore, type PushTarget, targetsFromJson, targetsToJson } from './push-store.js';

export class FolderPushStore implements PushStore {
  private readonly folder: string;

  constructor(tasksFolder: string) {
    this.folder = join(tasksFolder, 'push');
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  async load(taskId: string): Promise<PushTarget[]> {
    const file = this.fileOf(taskId);
    return existsSync(file) ? targetsFromJson(readFileSync(file, 'utf8')) : [];
  }

  async save(taskId: string, targets: readonly PushTarget[]): Promise<void> {
    const file = this.fileOf(taskId);
    if (targets.length === 0) rmSync(file, { force: true });
    else writePrivate(file, targetsToJson(targets));
  }

  async key(make: () => string): Promise<string> {
    const file = join(this.folder, 'signing-key.pem');
    if (!existsSync(file)) writePrivate(file, make());
    return readFileSync(file, 'utf8');
  }

  private fileOf(taskId: string): string {
    requireTaskId(taskId);
    return join(this.folder, `${taskId}.json`);
  }
}

/** The folder is private already; the mode protects copies of it. */
function writePrivate(file: string, text: string): void {
  replaceFile(file, Buffer.from(text));
  chmodSync(file, 0o600);
}
