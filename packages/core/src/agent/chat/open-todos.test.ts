import { describe, expect, it } from 'vitest';
import { reminderMessage } from '../../context/compression/summary-messages.js';
import type { Message } from '../../protocol/messages.js';
import { openTodosIn } from './open-todos.js';

const wrote = (todos: unknown): Message => ({
  role: 'model',
  origin: 'model',
  parts: [{ functionCall: { name: 'write_todos', args: { todos } } }],
});
const todo = (status: string, description = status) => ({ status, description });

describe('open todos', () => {
  it('come from the last list, done items included', () => {
    const history = [wrote([todo('pending', 'old')]), wrote([todo('completed'), todo('in_progress')])];
    expect(openTodosIn(history)).toBe('Todo list:\n1. [completed] completed\n2. [in_progress] in_progress');
  });

  it('come from a summary that repeats the list', () => {
    const list = openTodosIn([wrote([todo('pending', 'a')])]);
    const reminder = reminderMessage([list ?? '', 'Rules'], ['go on']) as Message;
    expect(openTodosIn([reminder])).toBe(list);
    expect(openTodosIn([reminder, wrote([todo('completed', 'a')])])).toBeUndefined();
  });

  it.each([
    ['there never was a list', []],
    ['all is done', [wrote([todo('completed'), todo('cancelled')])]],
    ['the list was cleared', [wrote([todo('pending')]), wrote([])]],
    ['the arguments make no sense', [wrote('x'), wrote([null, 1, { status: 1 }])]],
  ])('are empty when %s', (_when, history) => {
    expect(openTodosIn(history)).toBeUndefined();
  });
});
