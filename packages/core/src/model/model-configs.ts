/** Presets: which model is asked, with which settings. Override rules apply last. */
import { FatalConfigError } from '../base/errors.js';
import { isObject } from '../base/objects.js';
import { familyOf, resolveModel } from './catalog.js';
import { BUILTIN_ALIASES, type ModelAlias, type ModelConfig } from './configs/builtin.js';
import { type ModelOverride, readAliases, readOverrides } from './configs/read.js';
import type { GenerationSettings, ServerTool } from './content-generator.js';

/** `modelConfigs` of the settings, unchecked. */
export interface ModelConfigSettings {
  aliases?: unknown;
  customAliases?: unknown;
  overrides?: unknown;
  customOverrides?: unknown;
}

export interface ConfigKey {
  /** A preset, or the name of a model. */
  model: string;
  /** The sub-agent that makes the call; absent: `core`. */
  overrideScope?: string;
  isRetry?: boolean;
}

export interface ResolvedConfig {
  model: string;
  settings: GenerationSettings;
  serverTools?: ServerTool[];
}

const MAIN_SCOPE = 'core';
const DEEPEST_CHAIN = 100;

export class ModelConfigs {
  /** Presets named in the settings. */
  private readonly own: Readonly<Record<string, ModelAlias>>;
  private readonly aliases: Readonly<Record<string, ModelAlias>>;
  private readonly overrides: readonly ModelOverride[];

  /**
   * @param toModel how the catalogue resolves a name such as `flash-lite`
   * @param chosen names the user chose for conversations; presets among them bring their settings
   */
  constructor(
    settings: ModelConfigSettings = {},
    private readonly toModel: (name: string) => string = resolveModel,
    private readonly chosen: () => readonly string[] = () => [],
  ) {
    this.own = { ...readAliases(settings.aliases), ...readAliases(settings.customAliases) };
    this.aliases = { ...BUILTIN_ALIASES, ...this.own };
    this.overrides = [...readOverrides(settings.overrides), ...readOverrides(settings.customOverrides)];
  }

  /** @throws FatalConfigError for presets that extend one another in a circle, or lead to no model */
  resolve(key: ConfigKey): ResolvedConfig {
    const chain = this.has(key.model)
      ? this.chainOf(key.model)
      : [{ name: key.model, config: { model: key.model } }];
    return this.merge(key, chain);
  }

  /** The model a preset of the settings names; undefined for any other name. */
  modelOf(name: string): string | undefined {
    if (!Object.hasOwn(this.own, name)) return undefined;
    return this.chainOf(name).findLast(({ config }) => config.model)?.config.model;
  }

  /** The settings of a conversation with `model`, whether or not a preset of that name exists. */
  forChat(model: string, { isRetry, overrideScope }: Omit<ConfigKey, 'model'> = {}): ResolvedConfig {
    const rest = { ...(isRetry !== undefined && { isRetry }), ...(overrideScope && { overrideScope }) };
    const key = { model, ...rest };
    const preset = this.chosen().find((name) => this.leadsTo(name, model));
    if (preset !== undefined) return this.resolve({ ...rest, model: preset });
    if (this.has(model)) return this.resolve(key);
    const own = model.replace(/^(vertex|gemini|google)\//, '');
    const raw = { name: model, config: { model } };
    // Other providers have their own defaults, and some refuse other values.
    if (own.includes('/')) return this.merge(key, [raw]);
    const base = this.has(own) ? own : chatBase(own);
    return this.merge(key, [...this.chainOf(base), raw]);
  }

  /**
   * The settings of a sub-agent: those of its model, then its own, then a preset of the settings named `alias`. Rules for
   * its scope win.
   */
  forAgent(
    { alias, scope, config }: { alias: string; scope: string; config: ModelConfig & { model: string } },
    isRetry = false,
  ): ResolvedConfig {
    const { model } = config;
    const own = model.replace(/^(vertex|gemini|google)\//, '');
    const base = own.includes('/') ? [] : this.chainOf(this.has(own) ? own : chatBase(own));
    const preset = Object.hasOwn(this.own, alias) ? this.chainOf(alias) : [];
    return this.merge({ model, overrideScope: scope, isRetry }, [
      ...base,
      { name: model, config: { model } },
      { name: alias, config },
      ...preset,
    ]);
  }

  private leadsTo(name: string, model: string): boolean {
    const target = this.modelOf(name);
    return target !== undefined && this.toModel(target) === model;
  }

  private has(name: string): boolean {
    return Object.hasOwn(this.aliases, name);
  }

  /** From the most general preset to `name` itself. */
  private chainOf(name: string): Link[] {
    const chain: Link[] = [];
    const names: string[] = [];
    for (let next: string | undefined = name; next !== undefined; ) {
      names.push(next);
      if (names.indexOf(next) < names.length - 1 || names.length > DEEPEST_CHAIN) {
        throw new FatalConfigError(
          `modelConfigs: presets extend one another without end: ${names.join(' -> ')}.`,
        );
      }
      const alias: ModelAlias | undefined = this.has(next) ? this.aliases[next] : undefined;
      if (!alias) {
        throw new FatalConfigError(
          `modelConfigs: a preset extends one that does not exist: ${names.join(' -> ')}.`,
        );
      }
      chain.unshift({ name: next, config: alias });
      next = alias.extends;
    }
    return chain;
  }

  private merge(key: ConfigKey, chain: readonly Link[]): ResolvedConfig {
    const names = chain.map(({ name }) => name);
    const parts = [...chain.map(({ config }) => config), ...this.overridesFor(key, names)];
    const model = parts.findLast((part) => part.model)?.model;
    if (!model) {
      throw new FatalConfigError(`modelConfigs: no model is set for ${names.toReversed().join(' -> ')}.`);
    }
    const settings = parts.reduce<Fields>((merged, part) => deepMerge(merged, { ...part.settings }), {});
    const serverTools = parts.findLast((part) => part.serverTools)?.serverTools;
    return {
      model: this.toModel(model),
      settings,
      ...(serverTools?.length && { serverTools: [...serverTools] }),
    };
  }

  /** General rules first, so that more specific ones override them. */
  private overridesFor(key: ConfigKey, names: readonly string[]): ModelConfig[] {
    const scope = key.overrideScope ?? MAIN_SCOPE;
    const isRetry = key.isRetry ?? false;
    return this.overrides
      .flatMap(({ match, config }) => {
        const level = match.model === undefined ? -1 : names.lastIndexOf(match.model);
        const fits =
          (match.model === undefined || level >= 0) &&
          (match.overrideScope === undefined || match.overrideScope === scope) &&
          (match.isRetry === undefined || match.isRetry === isRetry);
        return fits ? [{ level, keys: Object.keys(match).length, config }] : [];
      })
      .sort((a, b) => a.level - b.level || a.keys - b.keys)
      .map(({ config }) => config);
  }
}

interface Link {
  name: string;
  config: ModelConfig;
}

type Fields = Record<string, unknown>;

/** Unknown models still get the settings of their family. */
function chatBase(model: string): string {
  if (familyOf(model) === 'gemini-3' || familyOf(model) === 'gemma-4') return 'chat-base-3';
  return model.startsWith('gemini-2.5') ? 'chat-base-2.5' : 'chat-base';
}

/** Objects are merged, anything else is replaced. */
function deepMerge(base: Fields, change: Fields): Fields {
  const merged = { ...base };
  for (const [key, value] of Object.entries(change)) {
    const old = merged[key];
    merged[key] = isObject(old) && isObject(value) ? deepMerge(old, value) : value;
  }
  return merged;
}
