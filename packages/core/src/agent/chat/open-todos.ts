/** The todo list as the model wrote it last, while an item on it is open. */
import type { Message } from '../../protocol/messages.js';
import { WRITE_TODOS } from '../../protocol/tool-names.js';

const OPEN = new Set(['pending', 'in_progress', 'blocked']);
const HEADING = 'Todo list:\n';

export function openTodosIn(history: readonly Message[]): string | undefined {
  for (const { origin, parts } of history.toReversed()) {
    for (const { functionCall } of parts.toReversed()) {
      if (functionCall?.name === WRITE_TODOS) return describe(readTodos(functionCall.args['todos']));
    }
    // The original list was compressed away; this is our repetition of it.
    const repeated = origin === 'reminder' && parts.find(({ text }) => text?.startsWith(HEADING));
    if (repeated) return repeated.text;
  }
  return undefined;
}

function describe(todos: readonly Todo[]): string | undefined {
  if (!todos.some(({ status }) => OPEN.has(status))) return undefined;
  const lines = todos.map(({ status, description }, index) => `${index + 1}. [${status}] ${description}`);
  return HEADING + lines.join('\n');
}

interface Todo {
  status: string;
  description: string;
}

/** Arguments come from the model and are unchecked. */
function readTodos(value: unknown): Todo[] {
  return (Array.isArray(value) ? value : []).flatMap((item: unknown) => {
    const { status, description } = (item ?? {}) as Record<string, unknown>;
    return typeof status === 'string' && typeof description === 'string' ? [{ status, description }] : [];
  });
}
