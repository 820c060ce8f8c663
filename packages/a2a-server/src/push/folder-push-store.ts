/** Targets of push notifications in the folder of the tasks. The files hold credentials of receivers: mode 0600. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@gemini-cli/core/server';
import { isTaskId, requireTaskId } from '../stores/task-id.js';
import { type PushStore, type PushTarget, targetsFromJson, targetsToJson } from './push-store.js';

export class FolderPushStore implements PushStore {
  readonly isShared = false;
  private readonly folder: string;

  constructor(tasksFolder: string) {
    this.folder = join(tasksFolder, 'push');
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  async load(taskId: string): Promise<PushTarget[]> {
    const file = this.fileOf(taskId);
    return existsSync(file) ? targetsFromJson(readFileSync(file, 'utf8')) : [];
  }

  async save(taskId: string, targets: readonly PushTarget[], told: number): Promise<void> {
    const file = this.fileOf(taskId);
    if (!existsSync(file)) await this.endTold(taskId, told);
    if (targets.length > 0) return writePrivate(file, targetsToJson(targets));
    rmSync(file, { force: true });
    rmSync(this.toldFileOf(taskId), { force: true });
  }

  async tasks(): Promise<string[]> {
    const names = readdirSync(this.folder).filter((name) => name.endsWith('.json'));
    return names.map((name) => name.slice(0, -'.json'.length)).filter(isTaskId);
  }

  async claimEnd(taskId: string, turn: number): Promise<boolean> {
    const file = this.toldFileOf(taskId);
    return !existsSync(file) || turn > Number(readFileSync(file, 'utf8'));
  }

  async endTold(taskId: string, turn: number): Promise<void> {
    replaceFile(this.toldFileOf(taskId), Buffer.from(String(turn)));
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

  private toldFileOf(taskId: string): string {
    requireTaskId(taskId);
    return join(this.folder, `${taskId}.told`);
  }
}

/** The folder is private already; the mode protects copies of it. */
function writePrivate(file: string, text: string): void {
  replaceFile(file, Buffer.from(text));
  chmodSync(file, 0o600);
}
