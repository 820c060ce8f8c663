/** The models of a session: who serves them, which one answers, what they cost, and small calls to them. */

import type { LastWord } from '../agent/last-word.js';
import { RunLimits } from '../agent/limits.js';
import { ModelChoice } from '../agent/model-choice.js';
import type { AnswerSchema } from '../agent/structured-answer.js';
import { FatalConfigError } from '../base/errors.js';
import { ModelAvailability } from '../model/availability.js';
import { priceOf, readPrices } from '../model/catalog/prices.js';
import { FULL_ACCESS } from '../model/catalog/resolutions.js';
import { ModelCatalog } from '../model/catalog.js';
import { readChains, readFallbacks } from '../model/chain-settings.js';
import type { ContentGenerator } from '../model/content-generator.js';
import { type CreatedGenerator, createModelPool, recorded } from '../model/create.js';
import { FallbackPlanner } from '../model/fallback.js';
import { Ledger } from '../model/ledger.js';
import { ModelConfigs } from '../model/model-configs.js';
import type { ModelPool } from '../model/pool.js';
import { createRouter, type RouterOptions } from '../model/routing/create-router.js';
import { UtilityAvailability } from '../model/utility-availability.js';
import { utilityModelFor } from '../model/utility-choice.js';
import { type UtilityCall, UtilityClient } from '../model/utility-client.js';
import { LedgerGenerator } from '../model/wrappers/ledger.js';
import type { Clock } from '../platform/clock.js';
import type { Environment } from '../platform/environment.js';
import type { HttpClient } from '../platform/http.js';
import type { Redactor } from '../platform/redact.js';
import { VERSION } from '../platform/version.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { ConfigParameters } from './parameters.js';

export interface ModelSurroundings {
  parameters: ConfigParameters;
  environment: Environment;
  /** Model or alias the user wants now. */
  requestedModel: () => string;
  clock: Clock;
  http: HttpClient;
  redactor: Redactor;
  approvalMode: () => ApprovalMode;
  hasApprovedPlan?: () => boolean;
  onUtilityCall: (call: UtilityCall) => void;
  /** Sits between a provider and all who ask it. */
  observe: (created: CreatedGenerator) => ContentGenerator;
}

export interface ModelServices {
  pool: ModelPool;
  /** Everybody's way to a model: counted, and held to the budget. */
  generator: ContentGenerator;
  catalog: ModelCatalog;
  configs: ModelConfigs;
  choice: ModelChoice;
  ledger: Ledger;
  limits: RunLimits;
  utility: UtilityClient;
  /** Of the provider the session begins with. */
  first: CreatedGenerator;
  /** Takes over what the user asked for by hand; throws what its provider lacks. */
  use(requested: string): Promise<void>;
}

export async function composeModels(surroundings: ModelSurroundings): Promise<ModelServices> {
  const { parameters, clock, http, redactor, approvalMode, hasApprovedPlan, observe } = surroundings;
  const { models = {}, interactive, onNotice = () => {} } = parameters;
  const requested = surroundings.requestedModel;
  const access = () => FULL_ACCESS;
  const catalog = new ModelCatalog({
    ...models.configs,
    dynamic: models.dynamicConfiguration ?? false,
    presetModel: (name) => configs.modelOf(name),
    providers: parameters.providers,
  });
  const fallbacks = readFallbacks(models.fallbacks);
  const configs = new ModelConfigs(
    models.configs,
    (name) => catalog.resolve(name, access()),
    () => [requested(), ...fallbacks.map(({ model }) => model)],
  );
  const pool = createModelPool(
    {
      sessionId: parameters.sessionId,
      redactor,
      auth: parameters.auth,
      providers: parameters.providers,
      onNotice,
      http,
      env: surroundings.environment.variables,
      version: VERSION,
      fakeResponses: parameters.fakeResponses,
      contentGenerator: parameters.contentGenerator,
    },
    observe,
  );
  requireName(requested());
  const firstModel = catalog.resolve(requested(), access());
  const first = await pool.prepare(firstModel).catch((error: unknown) => {
    // Servers repeat what they were sent, and whoever reports this cannot know the stored credentials.
    throw redactor.redactValue(error);
  });

  const { prices, problems } = readPrices(models.prices);
  const { chains, problems: chainProblems } = readChains(models.configs?.modelChains);
  const ignored = ignoredProviders(parameters.providers);
  for (const problem of [...problems, ...chainProblems, ...ignored]) onNotice(problem);
  const ledger = new Ledger({ priceOf: (model, tokens) => priceOf(model, prices, tokens) });
  const limits = new RunLimits(parameters.maxSessionTurns ?? -1, parameters.budget ?? {}, clock.now, ledger);
  limits.requirePrice(firstModel);
  const source = await recorded(pool, { recordResponses: parameters.recordResponses, redactor });
  const generator = new LedgerGenerator(source, ledger, (model) => limits.beforeRequest(model));

  const availability = new ModelAvailability(clock.now);
  const utility = new UtilityClient(generator, {
    presets: configs,
    availability: new UtilityAvailability({ catalog, availability, access, now: clock.now }),
    modelFor: (preset, mainModel) => utilityModelFor(preset, mainModel, parameters.providers),
    clock,
    random: Math.random,
    onCall: surroundings.onUtilityCall,
  });
  const planner = new FallbackPlanner({
    catalog,
    availability,
    fallbacks,
    chains,
    requestedModel: requested,
    access,
    isInteractive: interactive,
    isPlanMode: () => approvalMode() === ApprovalMode.PLAN,
    now: clock.now,
  });
  const router = await createRouter({
    catalog,
    access,
    availability,
    current: (model) => planner.current(model),
    utility,
    settings: {
      classifier: models.classifier ?? false,
      planModelRouting: models.planModelRouting ?? true,
      gemma: models.gemma,
    },
    askGemma: await gemmaClient(models.gemma, http),
    now: clock.now,
  });
  const prepare = async (model: string) => {
    requireName(model);
    limits.requirePrice(model);
    await pool.prepare(model);
  };
  const choice = new ModelChoice({
    first: firstModel,
    requested,
    route: (context) => router.route(context),
    planner,
    approvalMode,
    hasApprovedPlan,
    prepare,
    notice: onNotice,
    ask: parameters.onFallback,
  });
  const use = async (name: string) => {
    requireName(name);
    const model = catalog.resolve(name, access());
    await prepare(model);
    choice.choose(model);
  };
  return { pool, generator, catalog, configs, choice, ledger, limits, utility, first, use };
}

/** A provider alone is no model, and an empty name would only puzzle its server. */
function requireName(model: string): void {
  if (!/^(?:[^/]*\/)?\s*$/.test(model)) return;
  throw new FatalConfigError(
    `"${model}" names no model. Write the model after the provider: provider/model.`,
  );
}

/** Google's own are set up by sign-in and environment. */
function ignoredProviders(providers: ConfigParameters['providers'] = {}): string[] {
  return ['gemini', 'google', 'vertex']
    .filter((id) => Object.hasOwn(providers, id) && providers[id]?.baseUrl !== undefined)
    .map(
      (id) =>
        `model.providers.${id}.baseUrl has no effect: GOOGLE_GEMINI_BASE_URL and GOOGLE_VERTEX_BASE_URL set the addresses of Google's services. Give the provider another id.`,
    );
}

async function gemmaClient(
  settings: NonNullable<ConfigParameters['models']>['gemma'],
  http: HttpClient,
): Promise<RouterOptions['askGemma']> {
  if (!settings?.enabled) return undefined;
  const { createGemmaClient } = await import('../model/routing/gemma-client.js');
  return createGemmaClient(http);
}

/** Who decides whether an answer is the last one; undefined: the model does. */
export async function lastWordOf(
  parameters: ConfigParameters,
  utility: UtilityClient,
): Promise<LastWord | undefined> {
  if (parameters.outputSchema !== undefined) {
    const { AnswerSchema, StructuredAnswers } = await import('../agent/structured-answer.js');
    const schema: AnswerSchema = await AnswerSchema.load(parameters.outputSchema);
    return new StructuredAnswers(schema);
  }
  if (parameters.models?.skipNextSpeakerCheck === false) {
    const { NextSpeakerCheck } = await import('../agent/next-speaker.js');
    return new NextSpeakerCheck(utility);
  }
  return undefined;
}
