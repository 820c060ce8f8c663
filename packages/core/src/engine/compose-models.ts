/** The models of a project: providers, prices, remaining budget, and small utility calls. */
import { RunLimits } from '../agent/limits.js';
import { FatalAuthenticationError, FatalConfigError } from '../base/errors.js';
import { Late } from '../base/late.js';
import { priceOf, readPrices } from '../model/catalog/prices.js';
import { FULL_ACCESS } from '../model/catalog/resolutions.js';
import { ModelCatalog } from '../model/catalog.js';
import type { ContentGenerator } from '../model/content-generator.js';
import { type CreatedGenerator, createModelPool, type GoogleAccount, recorded } from '../model/create.js';
import { ModelAvailability } from '../model/fallback/availability.js';
import { readChains, readFallbacks } from '../model/fallback/chain-settings.js';
import { Ledger } from '../model/ledger.js';
import { ModelConfigs } from '../model/model-configs.js';
import type { OnModelNote } from '../model/model-note.js';
import type { ModelPool } from '../model/pool.js';
import { UtilityAvailability } from '../model/utility/utility-availability.js';
import { utilityModelFor } from '../model/utility/utility-choice.js';
import { type UtilityCall, UtilityClient } from '../model/utility/utility-client.js';
import { LedgerGenerator } from '../model/wrappers/ledger.js';
import type { Clock } from '../platform/clock.js';
import type { Environment } from '../platform/environment.js';
import type { HttpClient } from '../platform/net/http.js';
import type { Redactor } from '../platform/redaction/redact.js';
import { VERSION } from '../platform/version.js';
import type { CompleteParameters } from './parameters.js';

export interface ModelParts {
  parameters: CompleteParameters;
  environment: Environment;
  requestedModel: () => string;
  /** Changes the requested model of this session. */
  requestModel: (model: string) => void;
  clock: Clock;
  http: HttpClient;
  redactor: Redactor;
  notice: (message: string) => void;
  onNote: OnModelNote;
  /** The sign-in failed, but the user has mended the account: it is tried again. */
  isAccountMended: (error: unknown) => Promise<boolean>;
  onAccount: (account: GoogleAccount) => Promise<void>;
  onUtilityCall: (call: UtilityCall) => void;
  /** Wraps each provider, e.g. for telemetry. */
  observe: (created: CreatedGenerator) => ContentGenerator;
}

export interface ModelServices {
  pool: ModelPool;
  /** Every agent's generator: counts tokens and enforces the budget. */
  generator: ContentGenerator;
  /** The last request of the conversation, in the form of the Gemini API; undefined before the first. */
  lastRequest(): Promise<Record<string, unknown> | undefined>;
  catalog: ModelCatalog;
  configs: ModelConfigs;
  fallbacks: ReturnType<typeof readFallbacks>;
  chains: ReturnType<typeof readChains>['chains'];
  availability: ModelAvailability;
  http: HttpClient;
  ledger: Ledger;
  limits: RunLimits;
  utility: UtilityClient;
  /** Sign-in of the provider the session begins with. */
  first: CreatedGenerator & { model: string };
  /** The concrete model behind a name or alias. @throws for an unknown one */
  resolve(name: string): string;
  /** Sets up a model's provider. @throws what it lacks, e.g. a key */
  prepare(model: string): Promise<void>;
}

export async function composeModels(parts: ModelParts): Promise<ModelServices> {
  const { parameters, environment, clock, http, redactor, observe, notice } = parts;
  const { models } = parameters;
  const requested = parts.requestedModel;
  const presets = new Late<ModelConfigs>('The model presets');
  const catalog = new ModelCatalog({
    ...models.configs,
    dynamic: models.dynamicConfiguration,
    offersGemma: models.offersGemma,
    presetModel: (name) => presets.value.modelOf(name),
    providers: parameters.providers,
  });
  const fallbacks = readFallbacks(models.fallbacks);
  const configs = new ModelConfigs(
    models.configs,
    (name) => catalog.resolve(name, FULL_ACCESS),
    () => [requested(), ...fallbacks.map(({ model }) => model)],
  );
  presets.set(configs);
  const pool = createModelPool(
    {
      sessionId: parameters.sessionId,
      redactor,
      auth: parameters.auth,
      billing: parameters.billing,
      providers: parameters.providers,
      onNotice: notice,
      onNote: parts.onNote,
      onAccount: parts.onAccount,
      http,
      env: environment.variables,
      proxy: environment.proxy,
      version: VERSION,
      fakeResponses: parameters.fakeResponses,
      contentGenerator: parameters.contentGenerator,
    },
    observe,
  );
  const resolve = (name: string) => {
    requireName(name);
    return catalog.resolve(name, FULL_ACCESS);
  };
  const prepareFirst = async (): Promise<CreatedGenerator & { model: string }> => {
    const model = resolve(requested());
    try {
      return { ...(await pool.prepare(model)), model };
    } catch (error) {
      if (await parts.isAccountMended(error)) return prepareFirst();
      throw error;
    }
  };
  const first = await prepareFirst()
    .catch(async (error: unknown) => {
      if (!(await useProviderWithKey(parts, error))) throw error;
      return prepareFirst();
    })
    .catch((error: unknown) => {
      // Servers repeat credentials in errors, and the front end does not know the stored ones.
      throw redactor.redactValue(error);
    });

  const { prices, problems } = readPrices(models.prices);
  const { chains, problems: chainProblems } = readChains(models.configs.modelChains);
  const ignored = ignoredProviders(parameters.providers);
  for (const problem of [...problems, ...chainProblems, ...ignored]) notice(problem);
  const ledger = new Ledger({ priceOf: (model, tokens) => priceOf(model, prices, tokens) });
  const limits = new RunLimits(parameters.maxSessionTurns, parameters.budget ?? {}, clock.now, ledger);
  limits.requirePrice(first.model);
  const { recordResponses, aroundModel } = parameters;
  const recording = await recorded(pool, { recordResponses, redactor });
  const source = aroundModel?.(recording) ?? recording;
  const generator = new LedgerGenerator(source, ledger, (model) => limits.beforeRequest(model));

  const availability = new ModelAvailability(clock.now);
  const utility = new UtilityClient(generator, {
    presets: configs,
    availability: new UtilityAvailability({
      catalog,
      availability,
      access: () => FULL_ACCESS,
      now: clock.now,
    }),
    modelFor: (preset, mainModel) => utilityModelFor(preset, mainModel, parameters.providers),
    clock,
    random: Math.random,
    onCall: parts.onUtilityCall,
    onNote: parts.onNote,
  });
  return {
    pool,
    generator,
    lastRequest: async () => {
      if (!generator.lastRequest) return undefined;
      const { requestObject } = await import('../model/gemini/to-request.js');
      return requestObject(generator.lastRequest);
    },
    catalog,
    configs,
    fallbacks,
    chains,
    availability,
    http,
    ledger,
    limits,
    utility,
    first,
    resolve,
    prepare: async (model) => {
      requireName(model);
      limits.requirePrice(model);
      await pool.prepare(model);
    },
  };
}

/** The Google sign-in of the settings has no credentials, but another provider's key is set: that one is used. */
async function useProviderWithKey(parts: ModelParts, error: unknown): Promise<boolean> {
  const { parameters, environment, notice, requestModel } = parts;
  const env = environment.variables;
  if (!(error instanceof FatalAuthenticationError)) return false;
  const { mayReplaceGoogle, replacedNotice } = await import('../model/auth/instead-of-google.js');
  if (!mayReplaceGoogle({ env, ...parameters.auth })) return false;
  const { modelWithAnyKey } = await import('../model/provider-keys.js');
  const found = await modelWithAnyKey({ env, providers: parameters.providers });
  if (!found) return false;
  requestModel(found.model);
  notice(replacedNotice(`${found.source} with ${found.model}`));
  return true;
}

/** A provider without a model name is an error; its server could not explain it. */
function requireName(model: string): void {
  if (!/^(?:[^/]*\/)?\s*$/.test(model)) return;
  throw new FatalConfigError(
    `"${model}" names no model. Write the model after the provider: provider/model.`,
  );
}

/** Google's providers are set up by sign-in and environment. */
function ignoredProviders(providers: CompleteParameters['providers']): string[] {
  return ['gemini', 'google', 'vertex']
    .filter((id) => Object.hasOwn(providers, id) && providers[id]?.baseUrl !== undefined)
    .map(
      (id) =>
        `model.providers.${id}.baseUrl has no effect: GOOGLE_GEMINI_BASE_URL and GOOGLE_VERTEX_BASE_URL set the addresses of Google's services. Give the provider another id.`,
    );
}
