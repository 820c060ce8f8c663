/** Asks a model on this machine: simple or complex? */
import { createLog } from '../../../platform/log.js';
import { firstObjectIn } from '../../wire/json-in-text.js';
import type { AskGemma } from '../gemma-client.js';
import rubric from '../prompts/choose-model.md';
import type { Models, RoutingStrategy } from '../strategy.js';
import { flatten, isToolResponse, plainTurns, promptTurn } from '../turns.js';
import { choiceIn } from './classifier.js';

const log = createLog('routing');

const CONTEXT_TURNS = 4;
const TESTED_MODEL = 'gemma3-1b-gpu-custom';
/** Small models forget the beginning of a long prompt. */
const REMINDER =
  'Judge the last message of the user. Answer only with {"reasoning": "...", "model_choice": "flash"} or {"reasoning": "...", "model_choice": "pro"}.';

export function byGemma(
  models: Models,
  ask: AskGemma,
  { host, model }: { host: string; model: string },
): RoutingStrategy {
  if (model !== TESTED_MODEL) log.warn(`the router was tested with ${TESTED_MODEL}, not ${model}`);
  return {
    source: 'gemma-classifier',
    async route({ requestedModel, parts, history, signal }) {
      if (isToolResponse(parts)) return undefined;
      const conversation = flatten([...plainTurns(history, CONTEXT_TURNS), promptTurn(parts)]);
      const question = { systemInstruction: rubric.trim(), text: `${conversation}\n\n${REMINDER}` };
      const answer = firstObjectIn(await ask({ host, model, ...question }, signal));
      return answer && choiceIn(answer, models, requestedModel);
    },
  };
}
