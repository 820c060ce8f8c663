/** `write_todos`: the model's list of subtasks, replaced as a whole and shown to the user. */
import type { MessageBus } from '../../bus/message-bus.js';
import type { Todo, TodoStatus } from '../../protocol/tool-display.js';
import { WRITE_TODOS } from '../../protocol/tool-names.js';
import { describeTool } from '../describe-tool.js';
import type { InvocationArguments } from '../hosted-invocation.js';
import { BaseDeclarativeTool, BaseToolInvocation, Kind, type ToolResult } from '../tools.js';
import prose from './write-todos.md';

export interface WriteTodosParams {
  todos: Todo[];
}

const STATUSES: TodoStatus[] = ['pending', 'in_progress', 'completed', 'cancelled', 'blocked'];

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: {
    todos: {
      type: 'array',
      items: {
        type: 'object',
        properties: { description: { type: 'string' }, status: { type: 'string', enum: STATUSES } },
        required: ['description', 'status'],
        additionalProperties: false,
      },
    },
  },
  required: ['todos'],
  additionalProperties: false,
});

export class WriteTodosTool extends BaseDeclarativeTool<WriteTodosParams, ToolResult> {
  static readonly Name = WRITE_TODOS;

  constructor(messageBus: MessageBus) {
    super(WriteTodosTool.Name, 'WriteTodos', description, Kind.Other, schema, messageBus);
  }

  protected override validateToolParamValues({ todos }: WriteTodosParams): string | null {
    const blank = todos.findIndex(({ description }) => description.trim() === '');
    if (blank !== -1) return `params.todos[${blank}].description must be non-empty`;
    const active = todos.filter(({ status }) => status === 'in_progress').length;
    return active > 1 ? `Only one todo may be in_progress at a time, got ${active}.` : null;
  }

  protected createInvocation(...call: InvocationArguments<WriteTodosParams>) {
    return new WriteTodosInvocation(...call);
  }
}

class WriteTodosInvocation extends BaseToolInvocation<WriteTodosParams, ToolResult> {
  getDescription(): string {
    const count = this.params.todos.length;
    return count === 0 ? 'Cleared the todo list' : `Set ${count} ${count === 1 ? 'todo' : 'todos'}`;
  }

  protected async run(): Promise<ToolResult> {
    const { todos } = this.params;
    const lines = todos.map(({ description, status }, index) => `${index + 1}. [${status}] ${description}`);
    return {
      llmContent:
        todos.length === 0
          ? 'Successfully cleared the todo list.'
          : `Successfully updated the todo list. The current list is now:\n${lines.join('\n')}`,
      returnDisplay: { todos },
    };
  }
}
