/** Asks a small model: simple or complex? */
import type { UtilityModel, UtilityRequest } from '../../utility/utility-model.js';
import rubric from '../prompts/choose-model.md';
import { type Choice, chooseTier, type Models, type RoutingStrategy } from '../strategy.js';
import { isToolResponse, plainTurns, promptTurn } from '../turns.js';

const CONTEXT_TURNS = 4;

const SCHEMA = {
  type: 'object',
  properties: { reasoning: { type: 'string' }, model_choice: { type: 'string', enum: ['flash', 'pro'] } },
  required: ['reasoning', 'model_choice'],
};

/** @param options whether Gemini 3 auto names are decided here, too */
export function byClassifier(
  models: Models,
  utility: UtilityModel,
  options: { forGemini3: boolean },
): RoutingStrategy {
  return {
    source: 'classifier',
    async route({ requestedModel, parts, history, promptId, signal }) {
      if (isToolResponse(parts)) return undefined;
      if (!options.forGemini3 && isGemini3Auto(models, requestedModel)) return undefined;
      const messages = [...plainTurns(history, CONTEXT_TURNS), promptTurn(parts)];
      const answer = await askRouter(utility, { promptId, rubric, messages, schema: SCHEMA }, signal);
      return choiceIn(answer, models, requestedModel);
    },
  };
}

type Question = Pick<UtilityRequest, 'promptId' | 'messages'> & {
  rubric: string;
  schema: Record<string, unknown>;
};

/** How every strategy asks the small model. */
export function askRouter(utility: UtilityModel, { rubric, ...question }: Question, signal: AbortSignal) {
  const request = { alias: 'classifier', role: 'utility_router', systemInstruction: rubric.trim() } as const;
  return utility.generateJson({ ...request, ...question }, signal);
}

/** `{reasoning, model_choice}` -> the model; undefined for anything else. */
export function choiceIn(
  { reasoning, model_choice: tier }: Record<string, unknown>,
  models: Models,
  requestedModel: string,
): Choice | undefined {
  if (tier !== 'pro' && tier !== 'flash') return undefined;
  const model = chooseTier(models, requestedModel, tier);
  return model ? { model, reasoning: typeof reasoning === 'string' ? reasoning : '' } : undefined;
}

export function isGemini3Auto({ catalog, access }: Models, requestedModel: string): boolean {
  return catalog.definitionOf(catalog.autoPair(requestedModel, access()).pro)?.family === 'gemini-3';
}
