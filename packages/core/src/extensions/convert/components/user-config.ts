/** `userConfig` of a plugin: values that the user is asked for become settings of the extension. */
import { isObject } from '../../../base/objects.js';
import { isForbiddenKey } from '../../../settings/key-path.js';
import type { ExtensionSetting } from '../../types.js';
import type { ReportRow } from '../types.js';

export interface ConvertedUserConfig {
  settings: ExtensionSetting[];
  /** From keys to names of variables. */
  variables: Map<string, string>;
  rows: ReportRow[];
}

const KEPT = new Set(['title', 'description', 'sensitive', 'default', 'type', 'required']);

const TYPES = new Set(['string', 'number', 'boolean']);

/** Variables that decide which programs run; an extension may not set them. */
const REFUSED = /^(?:PATH|HOME|SHELL|LD_.*|DYLD_.*|NODE_OPTIONS|PYTHON.*|GIT_.*)$/;

export function convertUserConfig(value: unknown, pluginName: string): ConvertedUserConfig {
  const result: ConvertedUserConfig = { settings: [], variables: new Map(), rows: [] };
  if (value === undefined || value === null) return result;
  if (!isObject(value)) {
    const reason = 'it is not an object';
    result.rows.push({ action: 'skipped', kind: 'setting', source: 'userConfig', reason });
    return result;
  }
  for (const [key, given] of Object.entries(value)) {
    const source = `userConfig.${key}`;
    const field = isObject(given) ? given : {};
    const envVar = freeVariable(upperSnake(key), pluginName, new Set(result.variables.values()));
    if (envVar === undefined || isForbiddenKey(key)) {
      result.rows.push({ action: 'skipped', kind: 'setting', source, reason: 'its name cannot be used' });
      continue;
    }
    result.variables.set(key, envVar);
    const setting = settingOf(key, envVar, field);
    result.settings.push(setting);
    result.rows.push({ action: 'converted', kind: 'setting', source, target: `settings: ${envVar}` });
    const isKept = (name: string) =>
      KEPT.has(name) || (['options', 'enum'].includes(name) && setting.options !== undefined);
    const dropped = Object.keys(field).filter((name) => !isKept(name));
    if (dropped.length > 0)
      result.rows.push({
        action: 'warned',
        kind: 'setting',
        source,
        reason: `dropped ${dropped.map((name) => name.slice(0, 40)).join(', ')}`,
      });
    const { type } = field;
    const odd = !isObject(given)
      ? 'it is not an object: its value is dropped'
      : typeof type === 'string' && !TYPES.has(type)
        ? `its type "${type.slice(0, 30)}" is any text here`
        : undefined;
    if (odd !== undefined) result.rows.push({ action: 'warned', kind: 'setting', source, reason: odd });
    if (typeof field['default'] === 'object' && field['default'] !== null)
      result.rows.push({
        action: 'warned',
        kind: 'setting',
        source,
        reason: 'its default is not a single value and is dropped',
      });
    if (setting.sensitive && field['sensitive'] !== true)
      result.rows.push({
        action: 'warned',
        kind: 'setting',
        source,
        reason: 'it looks like a secret and is kept as one',
      });
    if (setting.sensitive && field['default'] !== undefined)
      result.rows.push({
        action: 'warned',
        kind: 'setting',
        source,
        reason: 'the default of a secret is not kept',
      });
  }
  return result;
}

function settingOf(key: string, envVar: string, field: Record<string, unknown>): ExtensionSetting {
  const { title, description, required, type, default: preset } = field;
  const sensitive = field['sensitive'] === true || isSecret(envVar, field);
  const options = optionsOf(field['options'] ?? field['enum']);
  const hasDefault = ['string', 'number', 'boolean'].includes(typeof preset) && !sensitive;
  return {
    name: typeof title === 'string' && title.trim() !== '' ? title : key,
    ...(typeof description === 'string' && { description }),
    envVar,
    ...(sensitive && { sensitive }),
    ...(hasDefault && { default: String(preset) }),
    ...((type === 'boolean' || type === 'number') && { type }),
    ...(options && { type: 'choice', options }),
    ...(required === true && { required }),
  };
}

/** The plugin does not call it sensitive. */
function isSecret(envVar: string, { type, options, enum: values }: Record<string, unknown>): boolean {
  const isText = (type === undefined || type === 'string') && options === undefined && values === undefined;
  return isText && /(?:SECRET|TOKEN|PASSWORD|API_?KEY)$/.test(envVar);
}

/** Texts, or `{value}` items. Undefined: the user writes what they like. */
function optionsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((item: unknown) => (isObject(item) ? item['value'] : item));
  return texts.length > 0 && texts.every((item) => typeof item === 'string') ? texts : undefined;
}

/** `apiKey`, `api-key` and `api_key` are `API_KEY`. */
function upperSnake(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
}

function freeVariable(name: string, pluginName: string, taken: ReadonlySet<string>): string | undefined {
  if (name === '') return undefined;
  const usable = /^\d/.test(name) || REFUSED.test(name) ? `${upperSnake(pluginName)}_${name}` : name;
  const base = /^\d/.test(usable) ? `_${usable}` : usable;
  let free = base;
  for (let count = 2; taken.has(free); count++) free = `${base}_${count}`;
  return free;
}
