/** `settings` of a manifest: the values that the extension asks for. */
import { isObject } from '../../base/objects.js';
import { isRefusedVariable, isVariableName } from '../settings/variable-names.js';
import type { ExtensionSetting } from '../types.js';
import type { FieldReport } from './field-report.js';

export function readManifestSettings(value: unknown, report: FieldReport): ExtensionSetting[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) {
    report('settings', 'must be a list; it is ignored.');
    return undefined;
  }
  const known = new Set<string>();
  return value.flatMap((entry: unknown, index) => {
    const key = `settings[${index}]`;
    const setting = isObject(entry) ? readSetting(entry) : undefined;
    const refusal = !setting
      ? 'has no valid envVar; it is ignored.'
      : isRefusedVariable(setting.envVar)
        ? `asks for ${setting.envVar}, which an extension may not set; it is ignored.`
        : known.has(setting.envVar)
          ? `asks for ${setting.envVar} again; it is ignored.`
          : undefined;
    if (refusal) report(key, refusal);
    if (!setting || refusal) return [];
    known.add(setting.envVar);
    return [setting];
  });
}

const TYPES: readonly unknown[] = ['string', 'boolean', 'number', 'choice'];
const isType = (value: unknown): value is NonNullable<ExtensionSetting['type']> => TYPES.includes(value);

function readSetting(entry: Readonly<Record<string, unknown>>): ExtensionSetting | undefined {
  const { envVar, description, sensitive, type, options, required } = entry;
  if (typeof envVar !== 'string' || !isVariableName(envVar)) return undefined;
  const label = textOf(entry['label']);
  const fallback = textOf(entry['default'] ?? entry['defaultValue']);
  const choices = Array.isArray(options)
    ? options.map((option: unknown) => textOf(isObject(option) ? option['value'] : option))
    : [];
  const known = choices.filter((choice) => choice !== undefined);
  return {
    name: textOf(entry['name']) || label || envVar,
    envVar,
    ...(typeof description === 'string' && { description }),
    ...(sensitive === true && { sensitive }),
    ...(fallback !== undefined && { default: fallback }),
    ...(isType(type) && { type }),
    ...(known.length > 0 && { options: known }),
    ...(required === true && { required }),
    ...(label !== undefined && { label }),
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
