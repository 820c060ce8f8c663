/** The list of steps as the model wrote it last, while something on it is still open. */
import type { Message } from '../protocol/messages.js';
import { WRITE_TODOS } from '../protocol/tool-names.js';

const OPEN = new Set(['pending', 'in_progress', 'blocked']);

export function openTodosIn(history: readonly Message[]): string | undefined {
  const todos = lastTodos(history);
  if (!todos.some(({ status }) => OPEN.has(status))) return undefined;
  const lines = todos.map(({ status, description }, index) => `${index + 1}. [${status}] ${description}`);
  return `Todo list:\n${lines.join('\n')}`;
}

interface Todo {
  status: string;
  description: string;
}

function lastTodos(history: readonly Message[]): Todo[] {
  for (const { parts } of history.toReversed()) {
    for (const { functionCall } of parts.toReversed()) {
      if (functionCall?.name === WRITE_TODOS) return readTodos(functionCall.args['todos']);
    }
  }
  return [];
}

/** Arguments come from the model and may be anything. */
function readTodos(value: unknown): Todo[] {
  return (Array.isArray(value) ? value : []).flatMap((item: unknown) => {
    const { status, description } = (item ?? {}) as Record<string, unknown>;
    return typeof status === 'string' && typeof description === 'string' ? [{ status, description }] : [];
  });
}
