/** Asks a small model: simple or complex? */
import type { UtilityModel } from '../../utility/utility-model.js';
import rubric from '../prompts/choose-model.md';
import {
  type Choice,
  chooseTier,
  type Models,
  type RoutingContext,
  type RoutingStrategy,
} from '../strategy.js';
import { isToolResponse, plainTurns, promptTurn } from '../turns.js';

const CONTEXT_TURNS = 4;

const SCHEMA = {
  type: 'object',
  properties: { reasoning: { type: 'string' }, model_choice: { type: 'string', enum: ['flash', 'pro'] } },
  required: ['reasoning', 'model_choice'],
};

export class ClassifierStrategy implements RoutingStrategy {
  readonly source = 'classifier';

  constructor(
    private readonly models: Models,
    private readonly utility: UtilityModel,
    /** Whether Gemini 3 auto names are decided here, too. */
    private readonly options: { forGemini3: boolean },
  ) {}

  async route(context: RoutingContext): Promise<Choice | undefined> {
    const { requestedModel, parts, history, promptId, signal } = context;
    if (isToolResponse(parts)) return undefined;
    if (!this.options.forGemini3 && isGemini3Auto(this.models, requestedModel)) return undefined;
    const answer = await this.utility.generateJson(
      {
        alias: 'classifier',
        role: 'utility_router',
        promptId,
        systemInstruction: rubric.trim(),
        messages: [...plainTurns(history, CONTEXT_TURNS), promptTurn(parts)],
        schema: SCHEMA,
      },
      signal,
    );
    return choiceIn(answer, this.models, requestedModel);
  }
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
