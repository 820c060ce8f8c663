/** Model names: aliases, families, capabilities. Unknown names pass through unchanged. */
import { DEFAULT_CONTEXT_WINDOW, MODEL_DEFINITIONS, type ModelDefinition } from './catalog/data.js';
import { type DefinitionChange, isCount, readDefinitions, readResolutions } from './catalog/read-settings.js';
import {
  CLASSIFIER_ID_RESOLUTIONS,
  FULL_ACCESS,
  MODEL_ID_RESOLUTIONS,
  type ModelAccess,
  type Resolutions,
  targetOf,
} from './catalog/resolutions.js';

export const DEFAULT_MODEL = 'auto';
export const OFFLINE_MODEL = 'offline';

export type ModelFamily = 'gemini-3' | 'gemini-2.5' | 'gemma-4' | 'offline' | 'custom';

/** The model behind a name, for an account that may use everything. */
export function resolveModel(name: string): string {
  return resolveWith(MODEL_ID_RESOLUTIONS, MODEL_DEFINITIONS, name, FULL_ACCESS);
}

export function familyOf(model: string): ModelFamily {
  if (model === OFFLINE_MODEL) return 'offline';
  if (/^gemini-3/.test(model)) return 'gemini-3';
  if (/^gemini-2/.test(model)) return 'gemini-2.5';
  if (/^gemma-4/.test(model)) return 'gemma-4';
  return 'custom';
}

/** Whether images and documents may stand inside a tool's response. */
export function acceptsMediaInToolResponse(model: string): boolean {
  return definition(MODEL_DEFINITIONS, model)?.features.multimodalToolUse ?? familyOf(model) === 'gemini-3';
}

/** `modelConfigs.*` and `model.providers` of the settings, unchecked. */
export interface CatalogSettings {
  modelDefinitions?: unknown;
  modelIdResolutions?: unknown;
  classifierIdResolutions?: unknown;
  /** `experimental.dynamicModelConfiguration`: more than the size of the context may be changed. */
  dynamic: boolean;
  /** `experimental.gemma`; absent: true. */
  offersGemma?: boolean;
  /** The model a preset of the settings stands for; `ModelConfigs.modelOf`. */
  presetModel?: (name: string) => string | undefined;
  providers?: Readonly<Record<string, { contextWindow?: number; models?: readonly unknown[] }>>;
}

export interface CatalogEntry {
  name: string;
  displayName: string;
  description: string;
  tier: ModelDefinition['tier'];
  isPreview: boolean;
}

export class ModelCatalog {
  private readonly changes: Map<string, DefinitionChange>;
  private readonly definitions: Readonly<Record<string, ModelDefinition>>;
  private readonly modelIds: Resolutions;
  private readonly classifierIds: Resolutions;
  private readonly providers: NonNullable<CatalogSettings['providers']>;

  constructor(private readonly settings: CatalogSettings = { dynamic: false }) {
    const { dynamic, modelIdResolutions, classifierIdResolutions } = settings;
    this.changes = readDefinitions(settings.modelDefinitions);
    this.providers = settings.providers ?? {};
    this.definitions = dynamic ? withChanges(this.changes) : MODEL_DEFINITIONS;
    this.modelIds = dynamic
      ? { ...MODEL_ID_RESOLUTIONS, ...readResolutions(modelIdResolutions) }
      : MODEL_ID_RESOLUTIONS;
    this.classifierIds = dynamic
      ? { ...CLASSIFIER_ID_RESOLUTIONS, ...readResolutions(classifierIdResolutions) }
      : CLASSIFIER_ID_RESOLUTIONS;
  }

  definitionOf(model: string): ModelDefinition | undefined {
    return definition(this.definitions, splitGoogle(model).bare);
  }

  contextWindow(model: string): number {
    return this.statedContextWindow(model) ?? DEFAULT_CONTEXT_WINDOW;
  }

  /** The context window, if known; undefined: it can only be guessed. */
  statedContextWindow(model: string): number | undefined {
    const { bare } = splitGoogle(model);
    const provider = providerOf(model);
    const ofProvider =
      provider && Object.hasOwn(this.providers, provider)
        ? this.providers[provider]?.contextWindow
        : undefined;
    const known = this.definitionOf(model);
    return (
      this.changes.get(model)?.contextWindow ??
      this.changes.get(bare)?.contextWindow ??
      (isCount(ofProvider) ? ofProvider : undefined) ??
      known?.contextWindow ??
      (known && DEFAULT_CONTEXT_WINDOW)
    );
  }

  /** The model behind a name or alias. A preview model without access is replaced by the stable one of its tier. */
  resolve(name: string, access: ModelAccess = FULL_ACCESS): string {
    const model = this.settings.presetModel?.(name) ?? name;
    return resolveWith(this.modelIds, this.definitions, model, access);
  }

  /** Whether the model is chosen for each prompt. */
  isAuto(name: string): boolean {
    return this.definitionOf(name)?.tier === 'auto';
  }

  /** The two models an auto name chooses between. */
  autoPair(name: string, access: ModelAccess = FULL_ACCESS): { pro: string; flash: string } {
    const { prefix, bare } = splitGoogle(name);
    const asked = { ...access, requestedModels: [...(access.requestedModels ?? []), bare] };
    const choose = (choice: 'pro' | 'flash') => {
      const rule = this.classifierIds[choice] ?? { default: choice };
      return prefix + allowed(this.modelIds, this.definitions, targetOf(rule, asked), access);
    };
    return { pro: choose('pro'), flash: choose('flash') };
  }

  /** The models of the `/model` dialog: Google's, then those configured for other providers. */
  list(): CatalogEntry[] {
    const own = Object.entries(this.definitions).flatMap(([name, known]) =>
      this.isOffered(known) ? [entryOf(name, known)] : [],
    );
    const others = Object.entries(this.providers).flatMap(([id, { models }]) =>
      (Array.isArray(models) ? models : []).flatMap((model: unknown) =>
        typeof model === 'string' ? [entryOf(`${id}/${model}`)] : [],
      ),
    );
    return [...own, ...others];
  }

  private isOffered({ isVisible, family }: ModelDefinition): boolean {
    return isVisible && (family !== 'gemma-4' || this.settings.offersGemma !== false);
  }
}

/** `gemini/` and `google/` add nothing; `vertex/` names the endpoint, and stays. */
function splitGoogle(name: string): { prefix: string; bare: string } {
  const [, prefix = '', bare = name] = /^(gemini\/|google\/|vertex\/)(.*)$/s.exec(name) ?? [];
  return { prefix: prefix === 'vertex/' ? prefix : '', bare };
}

function providerOf(model: string): string | undefined {
  const slash = model.indexOf('/');
  return slash > 0 ? model.slice(0, slash) : undefined;
}

type Definitions = Readonly<Record<string, ModelDefinition>>;

function definition(definitions: Definitions, model: string): ModelDefinition | undefined {
  return Object.hasOwn(definitions, model) ? definitions[model] : undefined;
}

function resolveWith(rules: Resolutions, known: Definitions, name: string, access: ModelAccess): string {
  const { prefix, bare } = splitGoogle(name);
  return prefix + allowed(rules, known, follow(rules, bare, access), access);
}

/** Rules may lead to names with rules of their own; each name is visited once. */
function follow(rules: Resolutions, name: string, access: ModelAccess): string {
  const passed = new Set<string>();
  let current = name;
  while (!passed.has(current) && Object.hasOwn(rules, current)) {
    passed.add(current);
    const rule = rules[current];
    if (rule) current = targetOf(rule, access);
  }
  return current;
}

function allowed(rules: Resolutions, known: Definitions, model: string, access: ModelAccess): string {
  if (access.hasAccessToPreview || !definition(known, model)?.isPreview) return model;
  const tier = model.includes('flash-lite') ? 'flash-lite' : model.includes('flash') ? 'flash' : 'pro';
  return follow(rules, tier, access);
}

function withChanges(changes: Map<string, DefinitionChange>): Definitions {
  const all: Record<string, ModelDefinition> = { ...MODEL_DEFINITIONS };
  for (const [name, change] of changes) {
    const base = definition(all, name) ?? UNKNOWN;
    all[name] = { ...base, ...change, features: { ...base.features, ...change.features } };
  }
  return all;
}

const UNKNOWN: ModelDefinition = {
  tier: 'custom',
  family: 'custom',
  isPreview: false,
  isVisible: true,
  features: { thinking: false, multimodalToolUse: false },
};

function entryOf(name: string, known: ModelDefinition = UNKNOWN): CatalogEntry {
  return {
    name,
    displayName: known.displayName ?? name,
    description: known.dialogDescription ?? '',
    tier: known.tier,
    isPreview: known.isPreview,
  };
}
