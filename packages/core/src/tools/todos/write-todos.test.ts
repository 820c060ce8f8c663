import { makeBus } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { type WriteTodosParams, WriteTodosTool } from './write-todos.js';

function build(args: unknown) {
  // The tool itself judges what it is sent.
  return new WriteTodosTool(makeBus()).build(args as WriteTodosParams);
}

describe('write_todos', () => {
  it('numbers the list for the model and shows it to the user', async () => {
    const todos = [
      { description: 'look', status: 'completed' },
      { description: 'change', status: 'in_progress' },
      { description: 'test', status: 'blocked' },
    ];
    expect(await build({ todos }).execute({ abortSignal: new AbortController().signal })).toEqual({
      llmContent:
        'Successfully updated the todo list. The current list is now:\n1. [completed] look\n2. [in_progress] change\n3. [blocked] test',
      returnDisplay: { todos },
    });
  });

  it('clears the list', async () => {
    const invocation = build({ todos: [] });
    expect(invocation.getDescription()).toBe('Cleared the todo list');
    expect(await invocation.execute({ abortSignal: new AbortController().signal })).toEqual({
      llmContent: 'Successfully cleared the todo list.',
      returnDisplay: { todos: [] },
    });
  });

  it('refuses invalid lists', () => {
    expect(() => build({})).toThrow("params must have required property 'todos'");
    expect(() => build({ todos: 'x' })).toThrow('params.todos must be an array, got string');
    expect(() => build({ todos: [{ description: ' ', status: 'pending' }] })).toThrow(
      'todos[0].description must be non-empty',
    );
    expect(() => build({ todos: [{ description: 'a', status: 'done' }] })).toThrow(
      'params.todos[0].status must be one of',
    );
    expect(() => build({ todos: [{ description: 'a' }] })).toThrow("must have required property 'status'");
    expect(() => build({ todos: [{ description: 'a', status: 'pending', id: 1 }] })).toThrow(
      "must not have the property 'id'",
    );
    const active = { description: 'a', status: 'in_progress' };
    expect(() => build({ todos: [active, active] })).toThrow(
      'Only one todo may be in_progress at a time, got 2.',
    );
  });
});
