/** Checks `modelConfigs` of the settings: anything without the documented shape is ignored. */
import { isObject } from '../../base/objects.js';
import type { ModelDefinition, ModelTier } from './data.js';
import type { AccessCondition, Resolution } from './resolutions.js';

type Fields = Record<string, unknown>;

const TIERS: readonly string[] = ['pro', 'flash', 'flash-lite', 'custom', 'auto', 'embedding'];
const FLAGS = [
  'hasAccessToPreview',
  'useGemini3_1',
  'useLatestFlash',
  'useLatestFlashLite',
  'useCustomTools',
] as const;

export type DefinitionChange = Partial<Omit<ModelDefinition, 'features'>> & {
  features?: Partial<ModelDefinition['features']>;
};

export function readDefinitions(value: unknown): Map<string, DefinitionChange> {
  return new Map(entriesOf(value).map(([name, fields]) => [name, readDefinition(fields)]));
}

function readDefinition(fields: Fields): DefinitionChange {
  const { tier, contextWindow, maxOutputTokens, features } = fields;
  return {
    ...(typeof tier === 'string' && TIERS.includes(tier) && { tier: tier as ModelTier }),
    ...textFields(fields, ['family', 'displayName', 'dialogDescription']),
    ...flagFields(fields, ['isPreview', 'isVisible']),
    ...(isCount(contextWindow) && { contextWindow }),
    ...(isCount(maxOutputTokens) && { maxOutputTokens }),
    ...(isObject(features) && { features: flagFields(features, ['thinking', 'multimodalToolUse']) }),
  };
}

export function readResolutions(value: unknown): Record<string, Resolution> {
  return Object.fromEntries(
    entriesOf(value).flatMap(([name, fields]) => {
      const { default: target, contexts } = fields;
      if (typeof target !== 'string' || !target) return [];
      return [
        [name, { default: target, contexts: Array.isArray(contexts) ? contexts.flatMap(readContext) : [] }],
      ];
    }),
  );
}

function readContext(value: unknown): { condition: AccessCondition; target: string }[] {
  if (!isObject(value)) return [];
  const { condition, target } = value;
  if (typeof target !== 'string' || !target || !isObject(condition)) return [];
  const { requestedModels } = condition;
  const models = Array.isArray(requestedModels)
    ? requestedModels.filter((item) => typeof item === 'string')
    : [];
  return [
    {
      target,
      condition: { ...flagFields(condition, FLAGS), ...(models.length > 0 && { requestedModels: models }) },
    },
  ];
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function entriesOf(value: unknown): [string, Fields][] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, fields]) => (isObject(fields) ? [[name, fields]] : []));
}

function textFields<K extends string>(fields: Fields, keys: readonly K[]): { [P in K]?: string } {
  return pick(fields, keys, (value): value is string => typeof value === 'string');
}

function flagFields<K extends string>(fields: Fields, keys: readonly K[]): { [P in K]?: boolean } {
  return pick(fields, keys, (value): value is boolean => typeof value === 'boolean');
}

function pick<K extends string, T>(fields: Fields, keys: readonly K[], fits: (value: unknown) => value is T) {
  const picked: { [P in K]?: T } = {};
  for (const key of keys) {
    const value = fields[key];
    if (fits(value)) picked[key] = value;
  }
  return picked;
}
