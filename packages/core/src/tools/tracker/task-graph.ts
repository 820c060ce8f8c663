/** What follows from how tasks depend on each other, and how the whole of them is shown. */

import { DeveloperError } from '../../base/errors.js';
import type { Todo, TodoStatus } from '../../protocol/tool-display.js';
import type { Task, TaskStatus } from './task.js';

type Tasks = ReadonlyMap<string, Task>;

/** A change that the rules of the tracker forbid. */
export class TaskRuleError extends DeveloperError {}

/** @throws TaskRuleError when `task`, put in the place of its former self, breaks a rule */
export function checkTask(task: Task, tasks: Tasks): void {
  const { id, parentId, dependencies, status } = task;
  if (parentId !== undefined && !tasks.has(parentId))
    throw new TaskRuleError(`There is no task ${parentId} to be the parent.`);
  const unknown = dependencies.find((other) => other !== id && !tasks.has(other));
  if (unknown !== undefined) throw new TaskRuleError(`There is no task ${unknown} to depend on.`);
  const after = new Map(tasks).set(id, task);
  const circle = circleFrom(id, after);
  if (circle) throw new TaskRuleError(`Circular dependency: ${circle.join(' -> ')}.`);
  const open = dependencies.filter((other) => after.get(other)?.status !== 'closed');
  if (status === 'closed' && open.length > 0)
    throw new TaskRuleError(`Task ${id} depends on tasks that are not closed: ${open.join(', ')}.`);
}

/** The path from a task along its dependencies back to itself. */
function circleFrom(start: string, tasks: Tasks): string[] | undefined {
  const seen = new Set<string>();
  const follow = (id: string, path: readonly string[]): string[] | undefined => {
    for (const next of tasks.get(id)?.dependencies ?? []) {
      if (next === start) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = follow(next, [...path, next]);
      if (found) return found;
    }
    return undefined;
  };
  return follow(start, [start]);
}

const AS_TODO: Record<TaskStatus, TodoStatus> = {
  open: 'pending',
  in_progress: 'in_progress',
  blocked: 'blocked',
  closed: 'completed',
};

/** The tasks in the order of the tree, those below another one indented. */
export function asTodos(tasks: Tasks): Todo[] {
  return inTreeOrder(tasks).map(({ task, depth }) => ({
    description: `${'  '.repeat(depth)}[${task.type.toUpperCase()}] ${task.title} (${task.id})`,
    status: AS_TODO[task.status],
  }));
}

export function asTree(tasks: Tasks): string {
  return inTreeOrder(tasks)
    .map(({ task, depth }) => {
      const { id, type, title, status, dependencies } = task;
      const waits = dependencies.length > 0 ? ` (depends on ${dependencies.join(', ')})` : '';
      const branch = depth === 0 ? '' : `${'   '.repeat(depth - 1)}+- `;
      return `${branch}[${type.toUpperCase()}] ${id} ${title} [${status}]${waits}`;
    })
    .join('\n');
}

interface Placed {
  task: Task;
  depth: number;
}

/** Each task once, even where edited files make parents of each other. */
function inTreeOrder(tasks: Tasks): Placed[] {
  const placed = new Map<string, Placed>();
  const place = (task: Task, depth: number): void => {
    if (placed.has(task.id)) return;
    placed.set(task.id, { task, depth });
    for (const child of tasks.values()) if (child.parentId === task.id) place(child, depth + 1);
  };
  const isRoot = ({ parentId }: Task) => parentId === undefined || !tasks.has(parentId);
  for (const task of tasks.values()) if (isRoot(task)) place(task, 0);
  for (const task of tasks.values()) place(task, 0);
  return [...placed.values()];
}
