/**
 * Tasks in a folder, one file each, replaced atomically: after `kill -9` or on a full disk a file has its old or its
 * new content. In memory is only what lists need.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, createLog, messageOf, UserError } from '@gemini-cli/core';
import { type HeldLock, isOwnerGone, lockSignature, replaceFile, tryLock } from '@gemini-cli/core/server';
import type { TaskPage, TaskQuery, TaskRecord, TaskStore } from '../contract.js';
import { TaskError } from '../task-error.js';
import { isTaskId, requireTaskId } from './task-id.js';
import { taskFromJson, taskToJson } from './task-json.js';
import { type Listed, pageOf } from './task-pages.js';

const log = createLog('task-store');
/** A lock of a process on another machine counts as abandoned when it was not refreshed for so long. */
const UNSEEN_MS = 60_000;
const REFRESH_MS = 15_000;

export class FolderTaskStore implements TaskStore {
  readonly isDurable = true;
  private readonly index = new Map<string, Listed>();
  private readonly refresh: NodeJS.Timeout;

  private constructor(
    private readonly folder: string,
    private readonly lock: HeldLock,
  ) {
    this.refresh = setInterval(() => lock.touch(), REFRESH_MS);
    this.refresh.unref();
  }

  /** @throws UserError when the folder cannot be used, or another server uses it */
  static async open(folder: string): Promise<FolderTaskStore> {
    try {
      mkdirSync(join(folder, 'tasks'), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new UserError(`Tasks cannot be kept in ${folder}: ${messageOf(error)}`, { cause: error });
    }
    const lock = tryLock(join(folder, 'server.lock'), lockSignature(), (found) =>
      isOwnerGone(found, UNSEEN_MS),
    );
    if (!lock)
      throw new UserError(
        `Another server uses ${folder}. Stop it, or set CODER_AGENT_TASK_DIR to another folder.`,
      );
    const store = new FolderTaskStore(folder, lock);
    store.readIndex();
    return store;
  }

  async load(taskId: string): Promise<TaskRecord | undefined> {
    requireTaskId(taskId);
    return this.index.has(taskId) ? this.read(taskId) : undefined;
  }

  async save(record: TaskRecord): Promise<void> {
    requireTaskId(record.id);
    try {
      replaceFile(this.fileOf(record.id), Buffer.from(taskToJson(record)));
    } catch (error) {
      const isFull = codeOf(error) === 'no_space';
      const reason = isFull ? `the disk of ${this.folder} is full` : messageOf(error);
      throw new TaskError('unavailable', `The task could not be saved: ${reason}.`, error);
    }
    this.index.set(record.id, listedOf(record));
  }

  async list(query: TaskQuery): Promise<TaskPage> {
    const page = pageOf([...this.index.values()], query);
    const records = page.records.map(({ id }) => this.read(id)).filter((record) => record !== undefined);
    return { ...page, records };
  }

  async delete(taskId: string): Promise<void> {
    requireTaskId(taskId);
    rmSync(this.fileOf(taskId), { force: true });
    this.index.delete(taskId);
  }

  async close(): Promise<void> {
    clearInterval(this.refresh);
    this.lock.release();
  }

  private fileOf(taskId: string): string {
    return join(this.folder, 'tasks', `${taskId}.json`);
  }

  /** A file that cannot be read stays where it is, and its task is unknown. */
  private read(taskId: string): TaskRecord | undefined {
    const file = this.fileOf(taskId);
    try {
      return taskFromJson(readFileSync(file, 'utf8'));
    } catch (error) {
      log.error(`${file} is not a task of this server: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Files of interrupted writes are deleted: this process alone holds the folder. */
  private readIndex(): void {
    const tasks = join(this.folder, 'tasks');
    for (const name of readdirSync(tasks)) {
      const id = name.replace(/\.json$/, '');
      if (name.endsWith('.tmp')) rmSync(join(tasks, name), { force: true });
      else if (name.endsWith('.json') && isTaskId(id)) {
        const record = this.read(id);
        if (record) this.index.set(id, listedOf(record));
      }
    }
  }
}

function listedOf({ id, contextId, updatedAt, task }: TaskRecord): Listed {
  return { id, contextId, updatedAt, task: { status: { state: task.status?.state ?? 0 } } };
}
