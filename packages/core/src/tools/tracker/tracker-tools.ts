/** The tools of the task tracker (`experimental.taskTracker`): the model's tasks of this session and what they wait for. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageBus } from '../../bus/message-bus.js';
import { randomHex } from '../../platform/random.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import type { WorkspaceHost } from '../../workspace/host.js';
import { type DescribedTool, describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { BaseDeclarativeTool, Kind, type ToolLocation, type ToolResult } from '../tools.js';
import addDependency from './add-dependency.md';
import createTask from './create-task.md';
import getTask from './get-task.md';
import listTasks from './list-tasks.md';
import { isTaskId, TASK_STATUSES, TASK_TYPES, type TaskStatus, type TaskType, taskPath } from './task.js';
import updateTask from './update-task.md';
import visualize from './visualize.md';

export type TrackerAction = 'create' | 'update' | 'get' | 'list' | 'addDependency' | 'visualize';

export interface TrackerParams {
  id?: string;
  title?: string;
  description?: string;
  type?: TaskType;
  status?: TaskStatus;
  parentId?: string;
  dependencies?: string[];
  taskId?: string;
  dependencyId?: string;
}

export type TrackerHost = Pick<WorkspaceHost, 'storage'> & { getSessionId(): string };

interface TrackerToolDefinition {
  name: string;
  className: string;
  action: TrackerAction;
  displayName: string;
  kind: Kind;
  words: DescribedTool;
}

const TEXT: JsonSchema = { type: 'string' };
const NAMED: JsonSchema = { type: 'string', minLength: 1 };
const IDS: JsonSchema = { type: 'array', items: { type: 'string' } };
const STATUS: JsonSchema = { type: 'string', enum: [...TASK_STATUSES] };
const TYPE: JsonSchema = { type: 'string', enum: [...TASK_TYPES] };

function taking(properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** In the order the model sees them. */
export const TRACKER_TOOLS: readonly TrackerToolDefinition[] = [
  {
    name: 'tracker_create_task',
    className: 'TrackerCreateTaskTool',
    action: 'create',
    displayName: 'Create Task',
    kind: Kind.Edit,
    words: describeTool(
      createTask,
      taking(
        { title: NAMED, description: TEXT, type: TYPE, parentId: TEXT, dependencies: IDS },
        'title',
        'description',
        'type',
      ),
    ),
  },
  {
    name: 'tracker_update_task',
    className: 'TrackerUpdateTaskTool',
    action: 'update',
    displayName: 'Update Task',
    kind: Kind.Edit,
    words: describeTool(
      updateTask,
      taking({ id: TEXT, title: NAMED, description: TEXT, status: STATUS, dependencies: IDS }, 'id'),
    ),
  },
  {
    name: 'tracker_get_task',
    className: 'TrackerGetTaskTool',
    action: 'get',
    displayName: 'Get Task',
    kind: Kind.Read,
    words: describeTool(getTask, taking({ id: TEXT }, 'id')),
  },
  {
    name: 'tracker_list_tasks',
    className: 'TrackerListTasksTool',
    action: 'list',
    displayName: 'List Tasks',
    kind: Kind.Search,
    words: describeTool(listTasks, taking({ status: STATUS, type: TYPE, parentId: TEXT })),
  },
  {
    name: 'tracker_add_dependency',
    className: 'TrackerAddDependencyTool',
    action: 'addDependency',
    displayName: 'Add Dependency',
    kind: Kind.Edit,
    words: describeTool(
      addDependency,
      taking({ taskId: TEXT, dependencyId: TEXT }, 'taskId', 'dependencyId'),
    ),
  },
  {
    name: 'tracker_visualize',
    className: 'TrackerVisualizeTool',
    action: 'visualize',
    displayName: 'Visualize Tracker',
    kind: Kind.Read,
    words: describeTool(visualize, taking({})),
  },
];

export class TrackerTool extends BaseDeclarativeTool<TrackerParams, ToolResult> {
  constructor(
    private readonly host: TrackerHost,
    messageBus: MessageBus,
    private readonly definition: TrackerToolDefinition,
  ) {
    const { name, displayName, kind, words } = definition;
    super(name, displayName, words.description, kind, words.schema, messageBus, false);
  }

  protected createInvocation(...call: InvocationArguments<TrackerParams>) {
    return new TrackerInvocation(this.definition.action, this.kind === Kind.Edit, this.host, ...call);
  }
}

class TrackerInvocation extends HostedInvocation<TrackerHost, TrackerParams> {
  private readonly directory = join(
    this.host.storage.getProjectTempDir(),
    this.host.getSessionId(),
    'tracker',
  );
  /** Chosen before the call runs, because undo must know the file that will be created. */
  private readonly newId = unusedId(this.directory);

  constructor(
    private readonly action: TrackerAction,
    private readonly isChange: boolean,
    ...rest: ConstructorParameters<typeof HostedInvocation<TrackerHost, TrackerParams>>
  ) {
    super(...rest);
  }

  getDescription(): string {
    const { title, id, taskId, dependencyId } = this.params;
    if (taskId !== undefined) return `${taskId} waits for ${dependencyId}`;
    return [id, title].filter(Boolean).join(' ');
  }

  override toolLocations(): ToolLocation[] {
    if (!this.isChange) return [];
    const id = this.params.id ?? this.params.taskId;
    // Never empty: for a change without a path, undo would copy the whole project.
    return [{ path: taskPath(this.directory, isTaskId(id) ? id : this.newId) }];
  }

  protected async run(): Promise<ToolResult> {
    const { performTracker } = await import('./perform.js');
    return performTracker(this.action, this.directory, this.params, this.newId);
  }
}

function unusedId(directory: string): string {
  const id = randomHex(3);
  return existsSync(taskPath(directory, id)) ? unusedId(directory) : id;
}
