/** The routing strategies in their order. Those that ask a model are loaded only when enabled. */
import type { OnModelNote } from '../model-note.js';
import type { UtilityModel } from '../utility/utility-model.js';
import type { AskGemma } from './gemma-client.js';
import { ModelRouter } from './model-router.js';
import { byApprovalMode, byComplexity, byDefault, byFallback, byName } from './strategies/by-rule.js';
import type { Models, RoutingStrategy } from './strategy.js';

export interface RoutingSettings {
  /** `model.routing.classifier`. */
  classifier: boolean;
  /** `general.plan.modelRouting`. */
  planModelRouting: boolean;
  /** Score from which pro is used; `false`: the classifier without scores decides every auto name. */
  numericalThreshold?: number | false;
  /** `experimental.gemmaModelRouter`. */
  gemma?: { enabled: boolean; host: string; model: string };
}

export interface RouterOptions extends Models {
  utility: UtilityModel;
  settings: RoutingSettings;
  /** Asks the local model; `createGemmaClient(http)`. Needed where `gemma` is enabled. */
  askGemma?: AskGemma;
  now: () => number;
  onNote?: OnModelNote;
}

const DEFAULT_THRESHOLD = 90;

export async function createRouter(options: RouterOptions): Promise<ModelRouter> {
  const strategies = [
    byFallback(options),
    byName(options),
    ...(options.settings.planModelRouting ? [byApprovalMode(options)] : []),
    ...(await gemmaStrategy(options)),
    ...(await classifierStrategies(options)),
    byComplexity(options),
    byDefault(options),
  ];
  return new ModelRouter(strategies, options.now, options.onNote);
}

async function gemmaStrategy(options: RouterOptions): Promise<RoutingStrategy[]> {
  const { askGemma, settings } = options;
  if (!askGemma || !settings.gemma?.enabled) return [];
  const { byGemma } = await import('./strategies/gemma-classifier.js');
  return [byGemma(options, askGemma, settings.gemma)];
}

async function classifierStrategies(options: RouterOptions): Promise<RoutingStrategy[]> {
  const { utility, settings } = options;
  if (!settings.classifier) return [];
  const threshold = settings.numericalThreshold ?? DEFAULT_THRESHOLD;
  const { byClassifier } = await import('./strategies/classifier.js');
  if (threshold === false) return [byClassifier(options, utility, { forGemini3: true })];
  const { byScore } = await import('./strategies/numerical-classifier.js');
  return [byClassifier(options, utility, { forGemini3: false }), byScore(options, utility, threshold)];
}
