/** From intents and results so far to the next calls, or the answer. */
import type { CallLog } from './conversation.js';
import type { Answer, Intent, Steps, Toolbox, ToolCall } from './intent.js';
import { joinAnswers, notOffered, notStarted, userCancelled } from './say.js';

export type Move = { calls: ToolCall[] } | { text: string };

export interface PlanInput {
  intents: readonly Intent[];
  /** Clauses that match no rule, named in the answer. */
  notUnderstood: readonly string[];
  results: CallLog;
  tools: Toolbox;
}

export async function nextMove({ intents, notUnderstood, results, tools }: PlanInput): Promise<Move> {
  const answers: string[] = [];
  let failedBefore = false;
  for (const [index, intent] of intents.entries()) {
    if (failedBefore && intent.mutates) {
      answers.push(notStarted(intents.slice(index)));
      break;
    }
    const step = replay(await intent.steps(tools), results, tools);
    if ('calls' in step) return step;
    answers.push(step.markdown);
    if (step.cancelled) break;
    if (!step.ok) failedBefore = true;
  }
  return { text: joinAnswers(answers, notUnderstood) };
}

type Replayed = { calls: ToolCall[] } | (Answer & { cancelled?: boolean });

/** Runs the steps over the recorded outcomes until one is missing. */
function replay(steps: Steps, results: CallLog, tools: Toolbox): Replayed {
  let state = steps.next();
  while (!state.done) {
    const wanted = state.value;
    const outcomes = wanted.map((call) => results.take(call));
    const missing = wanted.filter((_, index) => outcomes[index] === undefined);
    if (missing.length > 0) {
      const forbidden = missing.find((call) => !tools.has(call.name));
      return forbidden ? { markdown: notOffered(forbidden.name), ok: false } : { calls: missing };
    }
    const known = outcomes.filter((outcome) => outcome !== undefined);
    const cancelled = known.find((outcome) => outcome.refusal === 'cancelled');
    if (cancelled) return { markdown: userCancelled(cancelled.text), ok: false, cancelled: true };
    state = steps.next(known);
  }
  return state.value;
}
