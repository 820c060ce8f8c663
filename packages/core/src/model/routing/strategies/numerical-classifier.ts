/** Asks a small model how complex the prompt is; above a threshold the strong model answers. */
import type { UtilityModel } from '../../utility/utility-model.js';
import rubric from '../prompts/score-complexity.md';
import {
  type Choice,
  chooseTier,
  type Models,
  type RoutingContext,
  type RoutingStrategy,
} from '../strategy.js';
import { isToolResponse, lastTurns, promptTurn } from '../turns.js';
import { isGemini3Auto } from './classifier.js';

const CONTEXT_TURNS = 8;

const SCHEMA = {
  type: 'object',
  properties: {
    complexity_reasoning: { type: 'string' },
    complexity_score: { type: 'integer', minimum: 1, maximum: 100 },
  },
  required: ['complexity_reasoning', 'complexity_score'],
};

export class NumericalClassifierStrategy implements RoutingStrategy {
  readonly source = 'numerical_classifier';

  constructor(
    private readonly models: Models,
    private readonly utility: UtilityModel,
    private readonly threshold: number,
  ) {}

  async route(context: RoutingContext): Promise<Choice | undefined> {
    const { requestedModel, parts, history, promptId, signal } = context;
    if (isToolResponse(parts) || !isGemini3Auto(this.models, requestedModel)) return undefined;
    const answer = await this.utility.generateJson(
      {
        alias: 'classifier',
        role: 'utility_router',
        promptId,
        systemInstruction: rubric.trim(),
        messages: [...lastTurns(history, CONTEXT_TURNS), promptTurn(parts)],
        schema: SCHEMA,
      },
      signal,
    );
    const { complexity_score: score, complexity_reasoning: reasoning } = answer;
    if (typeof score !== 'number' || !(score >= 1 && score <= 100)) return undefined;
    const model = chooseTier(this.models, requestedModel, score >= this.threshold ? 'pro' : 'flash');
    if (!model) return undefined;
    return { model, reasoning: `${score} of 100, pro from ${this.threshold}: ${String(reasoning ?? '')}` };
  }
}
