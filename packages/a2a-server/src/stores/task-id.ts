/** Ids become names of files and objects, so only harmless ones are accepted. */
import { TaskError } from '../task-error.js';

const PATTERN = /^[a-zA-Z0-9_-]{1,128}$/;

export function isTaskId(id: string): boolean {
  return PATTERN.test(id);
}

export function requireTaskId(id: string): void {
  if (!isTaskId(id))
    throw new TaskError('invalid', 'A task id has up to 128 letters, digits, hyphens and underscores.');
}
