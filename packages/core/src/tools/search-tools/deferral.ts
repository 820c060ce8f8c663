/** Decides when tools are declared by name only, by the tokens that their declarations cost. */
import type { AnyDeclarativeTool, FunctionDeclaration } from '../tools.js';

export interface DeferralOptions {
  /** Tokens the model can take; 0 when unknown. */
  contextWindow: number;
  /** `tools.deferAbove`: share of the window that declarations may take; 1 = never defer. */
  deferAbove: number;
  estimateTokens(text: string): number;
}

/** Applies however large the window is, because every request carries the declarations. */
const MAX_DECLARED_TOKENS = 6000;

/** Tokens that all declarations together may take. */
export function declarationLimit({ contextWindow, deferAbove }: DeferralOptions): number {
  if (deferAbove >= 1) return Number.POSITIVE_INFINITY;
  return contextWindow > 0 ? Math.min(contextWindow * deferAbove, MAX_DECLARED_TOKENS) : MAX_DECLARED_TOKENS;
}

/** Caches the size of each declaration per model, because it is needed before every request. */
export class DeclarationSizes {
  private readonly sizes = new WeakMap<AnyDeclarativeTool, Map<string, number>>();

  tokensOf(
    tool: AnyDeclarativeTool,
    modelId: string,
    declare: (tool: AnyDeclarativeTool, modelId: string) => FunctionDeclaration,
    { estimateTokens }: DeferralOptions,
  ): number {
    const ofTool = this.sizes.get(tool) ?? new Map<string, number>();
    this.sizes.set(tool, ofTool);
    const known = ofTool.get(modelId);
    if (known !== undefined) return known;
    const tokens = estimateTokens(JSON.stringify(declare(tool, modelId)));
    ofTool.set(modelId, tokens);
    return tokens;
  }
}
