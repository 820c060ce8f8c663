/** Tasks in a bucket of Cloud Storage: `tasks/<id>/metadata.tar.gz`, and `workspace.tar.gz` after each turn. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { taskStateFromJSON } from '@a2a-js/sdk';
import { createLog, messageOf } from '@gemini-cli/core';
import { extractTar } from '@gemini-cli/core/server';
import type { TaskPage, TaskQuery, TaskRecord, TaskStore } from '../../contract.js';
import { isRunning, stateWord } from '../../protocol/task-state.js';
import { placeOfWorkspace, type WorkspaceRules } from '../../turns/workspace.js';
import { isTaskId, requireTaskId } from '../task-id.js';
import { taskFromJson, taskToJson } from '../task-json.js';
import { type Listed, pageOf, stateName } from '../task-pages.js';
import type { Bucket, StoredObject } from './bucket.js';
import { tarOfFile } from './tar-writer.js';
import { WorkspaceArchive } from './workspace-archive.js';

const FILE = 'metadata.json';
const MB = 1024 * 1024;
const LIMITS = {
  archiveBytes: 100 * MB,
  totalBytes: 500 * MB,
  entries: 10,
  ratio: 10_000,
  ratioFromBytes: 500 * MB,
};

const log = createLog('cloud-store');

export class CloudTaskStore implements TaskStore {
  readonly isDurable = true;
  private readonly workspaces: WorkspaceArchive;

  /** @param rules which folders are kept and restored */
  constructor(
    private readonly bucket: Bucket,
    private readonly rules: WorkspaceRules,
  ) {
    this.workspaces = new WorkspaceArchive(bucket);
  }

  async load(taskId: string): Promise<TaskRecord | undefined> {
    requireTaskId(taskId);
    const bytes = await this.bucket.get(nameOf(taskId));
    const record = bytes && (await recordIn(bytes, taskId));
    const folder = placeOfWorkspace(record?.settings, this.rules);
    if (folder !== undefined) await this.workspaces.restore(taskId, folder);
    return record;
  }

  async save(record: TaskRecord): Promise<void> {
    requireTaskId(record.id);
    const { id, contextId, settings, task, updatedAt } = record;
    const metadata = {
      __persistedState: { _agentSettings: settings ?? null, _taskState: stateWord(task.status?.state) },
      _contextId: contextId,
      record: JSON.parse(taskToJson(record)) as unknown,
    };
    const bytes = gzipSync(tarOfFile(FILE, Buffer.from(JSON.stringify(metadata))));
    const listed = { contextId, updatedAt, state: stateName(task.status?.state) };
    const folder = placeOfWorkspace(settings, this.rules);
    if (folder !== undefined && !isRunning(task.status?.state)) await this.workspaces.save(id, folder);
    await this.bucket.put(nameOf(id), bytes, listed);
  }

  async list(query: TaskQuery): Promise<TaskPage> {
    const objects = await this.bucket.list('tasks/');
    const page = pageOf(objects.flatMap(listedOf), query);
    const records: TaskRecord[] = [];
    for (const { id } of page.records) {
      const bytes = await this.bucket.get(nameOf(id));
      const record = bytes && (await recordIn(bytes, id));
      if (record) records.push(record);
    }
    return { ...page, records };
  }

  async delete(taskId: string): Promise<void> {
    requireTaskId(taskId);
    await this.workspaces.delete(taskId);
    await this.bucket.delete(nameOf(taskId));
  }

  async close(): Promise<void> {
    this.bucket.close();
  }
}

function nameOf(taskId: string): string {
  return `tasks/${taskId}/metadata.tar.gz`;
}

function listedOf({ name, metadata }: StoredObject): Listed[] {
  const id = /^tasks\/([^/]+)\/metadata\.tar\.gz$/.exec(name)?.[1] ?? '';
  if (!isTaskId(id)) return [];
  const { contextId = '', updatedAt = '', state = '' } = metadata;
  return [{ id, contextId, updatedAt, task: { status: { state: taskStateFromJSON(state) } } }];
}

/** An object that cannot be read stays where it is, and its task is unknown. */
async function recordIn(bytes: Buffer, taskId: string): Promise<TaskRecord | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-task-'));
  try {
    const file = join(folder, 'metadata.tar.gz');
    writeFileSync(file, bytes, { mode: 0o600 });
    const into = join(folder, 'content');
    await extractTar(file, into, { limits: LIMITS, what: 'task' });
    const { record } = JSON.parse(readFileSync(join(into, FILE), 'utf8')) as { record?: unknown };
    return taskFromJson(JSON.stringify(record));
  } catch (error) {
    log.error(`the object of task ${taskId} cannot be read: ${messageOf(error)}`);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
