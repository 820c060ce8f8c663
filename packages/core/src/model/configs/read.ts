/** Presets and rules of the settings, checked: values that the API would refuse are ignored. */
import { isObject, objectOf } from '../../base/objects.js';
import type { GenerationSettings, ServerTool } from '../content-generator.js';
import type { ModelAlias, ModelConfig } from './builtin.js';

export interface OverrideMatch {
  model?: string;
  overrideScope?: string;
  isRetry?: boolean;
}

export interface ModelOverride {
  match: OverrideMatch;
  config: ModelConfig;
}

type Check = (value: unknown) => boolean;

const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isText: Check = (value) => typeof value === 'string';
const areTexts: Check = (value) => Array.isArray(value) && value.every(isText);

const SETTINGS: Readonly<Record<Exclude<keyof GenerationSettings, 'thinkingConfig'>, Check>> = {
  temperature: isNumber,
  topP: isNumber,
  topK: isNumber,
  candidateCount: isNumber,
  maxOutputTokens: isNumber,
  stopSequences: areTexts,
  presencePenalty: isNumber,
  frequencyPenalty: isNumber,
  seed: isNumber,
  responseMimeType: isText,
  responseSchema: isObject,
  responseJsonSchema: isObject,
  responseModalities: areTexts,
  mediaResolution: isText,
};

const THINKING: Readonly<Record<keyof NonNullable<GenerationSettings['thinkingConfig']>, Check>> = {
  includeThoughts: (value) => typeof value === 'boolean',
  thinkingBudget: isNumber,
  thinkingLevel: isText,
};

/** `{<name>: {extends?, modelConfig: {model?, generateContentConfig?}}}`. */
export function readAliases(value: unknown): Record<string, ModelAlias> {
  const aliases: Record<string, ModelAlias> = {};
  for (const [name, fields] of Object.entries(objectOf(value))) {
    if (!isObject(fields)) continue;
    const parent = fields['extends'];
    aliases[name] = {
      ...(typeof parent === 'string' && { extends: parent }),
      ...readConfig(fields['modelConfig']),
    };
  }
  return aliases;
}

/** `[{match: {model?, overrideScope?, isRetry?}, modelConfig}]`; a rule with an unknown match never applies. */
export function readOverrides(value: unknown): ModelOverride[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((rule: unknown) => {
    if (!isObject(rule) || !isObject(rule['match'])) return [];
    const { model, overrideScope, isRetry, ...unknown } = rule['match'];
    const match: OverrideMatch = {
      ...(typeof model === 'string' && { model }),
      ...(typeof overrideScope === 'string' && { overrideScope }),
      ...(typeof isRetry === 'boolean' && { isRetry }),
    };
    const isWhole =
      Object.keys(unknown).length === 0 && Object.keys(match).length === Object.keys(rule['match']).length;
    return isWhole ? [{ match, config: readConfig(rule['modelConfig']) }] : [];
  });
}

/** `{model?, generateContentConfig?}`. */
export function readConfig(value: unknown): ModelConfig {
  if (!isObject(value)) return {};
  const { model, generateContentConfig: generation } = value;
  const config: ModelConfig = typeof model === 'string' && model ? { model } : {};
  if (!isObject(generation)) return config;
  const thinking = generation['thinkingConfig'];
  config.settings = {
    ...fitting(generation, SETTINGS),
    ...(isObject(thinking) && { thinkingConfig: fitting(thinking, THINKING) }),
  };
  const { tools } = generation;
  if (Array.isArray(tools)) config.serverTools = tools.flatMap(serverToolsIn);
  return config;
}

function fitting(fields: Record<string, unknown>, checks: Readonly<Record<string, Check>>): object {
  const known = Object.entries(checks).filter(([key, fits]) => fits(fields[key]));
  return Object.fromEntries(known.map(([key]) => [key, fields[key]]));
}

function serverToolsIn(tool: unknown): ServerTool[] {
  if (!isObject(tool)) return [];
  return (['googleSearch', 'urlContext'] as const).filter((name) => name in tool);
}
