/** Merges the settings of several files, each key by the strategy of its definition. */
import { isObject } from '../../base/objects.js';
import { ADVANCED } from '../schema/advanced.js';
import type { SettingDefinition } from '../schema/definition.js';
import { childOf, type Settings } from '../schema/index.js';
import { ROOT } from '../schema/root.js';

/** @param layers lowest first */
export function mergeSettings(layers: readonly Settings[]): Settings {
  let merged: unknown = {};
  for (const layer of layers) merged = combine(ROOT, merged, layer);
  const settings = merged as Settings; // made of values that were Settings before
  return growFromDefault(settings);
}

/** `excludedEnvVars` is the only union list with a default, which counts as the lowest layer. */
function growFromDefault(settings: Settings): Settings {
  const { advanced } = settings;
  if (!advanced?.excludedEnvVars) return settings;
  const excludedEnvVars = [...new Set([...ADVANCED.excludedEnvVars.default, ...advanced.excludedEnvVars])];
  return { ...settings, advanced: { ...advanced, excludedEnvVars } };
}

function combine(definition: SettingDefinition | undefined, low: unknown, high: unknown): unknown {
  if (low === undefined) return high;
  if (high === undefined) return low;
  if (Array.isArray(low) && Array.isArray(high)) return combineLists(definition, low, high);
  if (!isObject(low) || !isObject(high)) return high;
  if (definition?.merge === 'shallow') return { ...low, ...high };
  const result = { ...low };
  for (const key of Object.keys(high)) {
    result[key] = combine(definition && childOf(definition, key), result[key], high[key]);
  }
  return result;
}

function combineLists(definition: SettingDefinition | undefined, low: unknown[], high: unknown[]): unknown[] {
  switch (definition?.merge) {
    case 'concat':
      return [...low, ...high];
    case 'union':
      return [...new Set([...low, ...high])];
    case 'intersection': {
      const allowed = new Set(low.map(comparable));
      return high.filter((item) => allowed.has(comparable(item)));
    }
    default:
      return high;
  }
}

/** Server names are compared without case and outer blanks. */
function comparable(item: unknown): unknown {
  return typeof item === 'string' ? item.trim().toLowerCase() : item;
}
