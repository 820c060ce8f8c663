/** The tasks of this process that work or did lately; the others are only in the store. */
import type { TaskRecord, TaskStore } from '../contract.js';
import { TaskError } from '../task-error.js';
import { LiveTask } from './live-task.js';

/** Tasks whose last events stay in memory. */
const MAX_LIVE = 200;

export class LiveTasks {
  private readonly tasks = new Map<string, LiveTask>();
  private readonly loading = new Map<string, Promise<LiveTask>>();

  constructor(private readonly store: Pick<TaskStore, 'load'>) {}

  /** Undefined: it does not work in this process now. */
  get(taskId: string): LiveTask | undefined {
    return this.tasks.get(taskId);
  }

  all(): LiveTask[] {
    return [...this.tasks.values()];
  }

  add(record: TaskRecord): LiveTask {
    const task = new LiveTask(record);
    this.tasks.set(record.id, task);
    this.forgetOld();
    return task;
  }

  /** @throws TaskError */
  async find(taskId: string): Promise<LiveTask> {
    const live = this.tasks.get(taskId);
    if (live) {
      live.lastUsed = performance.now();
      return live;
    }
    const loading = this.loading.get(taskId) ?? this.load(taskId);
    this.loading.set(taskId, loading);
    return loading.finally(() => this.loading.delete(taskId));
  }

  private async load(taskId: string): Promise<LiveTask> {
    const record = await this.store.load(taskId);
    if (!record) throw new TaskError('task_not_found', `There is no task ${taskId}.`);
    return this.add(record);
  }

  /** What was idle for longest. */
  private forgetOld(): void {
    if (this.tasks.size <= MAX_LIVE) return;
    const idle = [...this.tasks].filter(([, task]) => task.isIdle);
    idle.sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    for (const [taskId] of idle.slice(0, this.tasks.size - MAX_LIVE)) this.tasks.delete(taskId);
  }
}
