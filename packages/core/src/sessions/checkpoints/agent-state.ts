/** Derives the agent's state (mode, active skills, plan, to-dos) from the conversation. */
import type { Message } from '../../protocol/messages.js';
import type { Todo } from '../../protocol/tool-display.js';
import { ACTIVATE_SKILL, EXIT_PLAN_MODE, WRITE_TODOS } from '../../protocol/tool-names.js';
import { type AgentState, todosFrom } from './format.js';

export function agentStateIn(
  history: readonly Message[],
  { mode, model }: Pick<AgentState, 'mode' | 'model'>,
): AgentState {
  let todos: Todo[] = [];
  const skills = new Set<string>();
  let planPath: string | undefined;
  for (const { name, args } of history.flatMap(({ parts }) =>
    parts.flatMap((part) => part.functionCall ?? []),
  )) {
    if (name === WRITE_TODOS) todos = todosFrom(args['todos']);
    if (name === ACTIVATE_SKILL && typeof args['name'] === 'string') skills.add(args['name']);
    const plan = args['plan_filename'] ?? args['plan_path'];
    if (name === EXIT_PLAN_MODE && typeof plan === 'string') planPath = plan;
  }
  return { mode, model, todos, skills: [...skills], ...(planPath !== undefined && { planPath }) };
}
