/** What the tools of the tracker do. Loaded with the first call. */
import { ToolErrorType } from '../tool-error.js';
import { type ToolResult, toolFailure } from '../tools.js';
import type { Task } from './task.js';
import { asTodos, asTree, checkTask, TaskRuleError } from './task-graph.js';
import { TaskStore } from './task-store.js';
import type { TrackerAction, TrackerParams } from './tracker-tools.js';

type Run = (store: TaskStore, params: TrackerParams, newId: string) => string;

const RUN: Record<TrackerAction, Run> = { create, update, get, list, addDependency, visualize };

export function performTracker(
  action: TrackerAction,
  directory: string,
  params: TrackerParams,
  newId: string,
): ToolResult {
  const store = new TaskStore(directory);
  try {
    const llmContent = RUN[action](store, params, newId);
    return { llmContent, returnDisplay: { todos: asTodos(store.all()) } };
  } catch (error) {
    if (error instanceof TaskRuleError) return toolFailure(error.message, ToolErrorType.EXECUTION_FAILED);
    throw error;
  }
}

function create(store: TaskStore, params: TrackerParams, id: string): string {
  const { title = '', description = '', type = 'task', parentId, dependencies = [] } = params;
  const task: Task = {
    id,
    title,
    description,
    type,
    status: 'open',
    ...(parentId !== undefined && { parentId }),
    dependencies: [...new Set(dependencies)],
  };
  checkTask(task, store.all());
  store.save(task);
  return `Created task ${id}: ${title}`;
}

function update(store: TaskStore, { id = '', ...changes }: TrackerParams): string {
  const { title, description, status, dependencies } = changes;
  const task: Task = {
    ...existing(store, id),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(status !== undefined && { status }),
    ...(dependencies && { dependencies: [...new Set(dependencies)] }),
  };
  checkTask(task, store.all());
  store.save(task);
  return `Updated task ${id}. Status: ${task.status}`;
}

function get(store: TaskStore, { id = '' }: TrackerParams): string {
  const task = store.get(id);
  return task ? JSON.stringify(task, null, 2) : `Task ${id} not found.`;
}

function list(store: TaskStore, { status, type, parentId }: TrackerParams): string {
  const wanted = [...store.all().values()].filter(
    (task) =>
      (status === undefined || task.status === status) &&
      (type === undefined || task.type === type) &&
      (parentId === undefined || task.parentId === parentId),
  );
  if (wanted.length === 0) return 'No tasks match.';
  return wanted
    .map((task) => {
      const { id, title, dependencies } = task;
      const waits = dependencies.length > 0 ? ` (depends on ${dependencies.join(', ')})` : '';
      return `- [${id}] ${task.type} ${task.status}: ${title}${waits}`;
    })
    .join('\n');
}

function addDependency(store: TaskStore, { taskId = '', dependencyId = '' }: TrackerParams): string {
  const task = existing(store, taskId);
  const dependencies = [...new Set([...task.dependencies, dependencyId])];
  // A closed task that begins to depend on an open one would break the rule for closing.
  checkTask({ ...task, dependencies }, store.all());
  store.save({ ...task, dependencies });
  return `Task ${taskId} now depends on ${dependencyId}.`;
}

function visualize(store: TaskStore): string {
  return asTree(store.all()) || 'There are no tasks.';
}

function existing(store: TaskStore, id: string): Task {
  const task = store.get(id);
  if (!task) throw new TaskRuleError(`Task ${id} not found.`);
  return task;
}
