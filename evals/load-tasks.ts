/** Every file in `tasks/` is a task, named like its file. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EvalTask } from './task.js';

export interface NamedTask extends EvalTask {
  name: string;
}

const TASKS = join(import.meta.dirname, 'tasks');

export async function loadTasks(): Promise<NamedTask[]> {
  const files = readdirSync(TASKS)
    .filter((file) => file.endsWith('.ts'))
    .sort();
  return Promise.all(files.map(load));
}

async function load(file: string): Promise<NamedTask> {
  const { default: task } = (await import(pathToFileURL(join(TASKS, file)).href)) as { default: EvalTask };
  return { ...task, name: file.slice(0, -'.ts'.length) };
}
