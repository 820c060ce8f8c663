/** Tasks in memory: fast, and gone with the process. Only copies go in and out. */
import { Task } from '@a2a-js/sdk';
import type { TaskPage, TaskQuery, TaskRecord, TaskStore } from '../contract.js';
import { pageOf } from './task-pages.js';

export class MemoryTaskStore implements TaskStore {
  readonly isDurable = false;
  private readonly records = new Map<string, TaskRecord>();

  async load(taskId: string): Promise<TaskRecord | undefined> {
    const record = this.records.get(taskId);
    return record && copyOf(record);
  }

  async save(record: TaskRecord): Promise<void> {
    this.records.set(record.id, copyOf(record));
  }

  async list(query: TaskQuery): Promise<TaskPage> {
    const { records, ...rest } = pageOf([...this.records.values()], query);
    return { ...rest, records: records.map((record) => copyOf(record)) };
  }

  async delete(taskId: string): Promise<void> {
    this.records.delete(taskId);
  }

  async close(): Promise<void> {
    this.records.clear();
  }
}

/** A structured clone has plain bytes where tasks have buffers. */
function copyOf({ task, ...rest }: TaskRecord): TaskRecord {
  return { ...structuredClone(rest), task: Task.fromJSON(Task.toJSON(structuredClone(task))) };
}
