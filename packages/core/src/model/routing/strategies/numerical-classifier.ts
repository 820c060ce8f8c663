/** Asks a small model how complex the prompt is; above a threshold the strong model answers. */
import type { UtilityModel } from '../../utility/utility-model.js';
import rubric from '../prompts/score-complexity.md';
import { chooseTier, type Models, type RoutingStrategy } from '../strategy.js';
import { isToolResponse, lastTurns, promptTurn } from '../turns.js';
import { askRouter, isGemini3Auto } from './classifier.js';

const CONTEXT_TURNS = 8;

const SCHEMA = {
  type: 'object',
  properties: {
    complexity_reasoning: { type: 'string' },
    complexity_score: { type: 'integer', minimum: 1, maximum: 100 },
  },
  required: ['complexity_reasoning', 'complexity_score'],
};

export function byScore(models: Models, utility: UtilityModel, threshold: number): RoutingStrategy {
  return {
    source: 'numerical_classifier',
    async route({ requestedModel, parts, history, promptId, signal }) {
      if (isToolResponse(parts) || !isGemini3Auto(models, requestedModel)) return undefined;
      const messages = [...lastTurns(history, CONTEXT_TURNS), promptTurn(parts)];
      const answer = await askRouter(utility, { promptId, rubric, messages, schema: SCHEMA }, signal);
      const { complexity_score: score, complexity_reasoning: reasoning } = answer;
      if (typeof score !== 'number' || !(score >= 1 && score <= 100)) return undefined;
      const model = chooseTier(models, requestedModel, score >= threshold ? 'pro' : 'flash');
      if (!model) return undefined;
      return { model, reasoning: `${score} of 100, pro from ${threshold}: ${String(reasoning ?? '')}` };
    },
  };
}
