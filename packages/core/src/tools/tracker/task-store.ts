/** The tasks of one session on disk: one file per task, so that two programs seldom write the same one. */
import { readPrivateFile, writePrivateFile } from '../../platform/files/private-file.js';
import { namesIn } from '../../platform/files/try-read.js';
import { createLog } from '../../platform/log.js';
import { isTask, isTaskId, TASK_FILE_SUFFIX, type Task, taskPath } from './task.js';

const log = createLog('tools');

export class TaskStore {
  constructor(private readonly directory: string) {}

  /** By id; damaged files are left out. */
  all(): Map<string, Task> {
    const ids = namesIn(this.directory).flatMap((name) =>
      name.endsWith(TASK_FILE_SUFFIX) ? name.slice(0, -TASK_FILE_SUFFIX.length) : [],
    );
    const tasks = ids.sort().flatMap((id) => this.get(id) ?? []);
    return new Map(tasks.map((task) => [task.id, task]));
  }

  get(id: string): Task | undefined {
    if (!isTaskId(id)) return undefined;
    try {
      const value: unknown = JSON.parse(readPrivateFile(this.pathOf(id)) ?? 'null');
      return isTask(value) && value.id === id ? value : undefined;
    } catch (error) {
      log.warn(`task ${id} cannot be read`, error);
      return undefined;
    }
  }

  save(task: Task): void {
    writePrivateFile(this.pathOf(task.id), `${JSON.stringify(task, null, 2)}\n`);
  }

  pathOf(id: string): string {
    return taskPath(this.directory, id);
  }
}
