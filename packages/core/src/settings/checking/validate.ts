/** Checks a file's data against the tables. Wrong values are reported and dropped; the rest is kept. */
import { isObject } from '../../base/objects.js';
import { clip, formatPath, type KeyPath, typeName } from '../key-path.js';
import { coerce } from '../reading/coerce.js';
import type { Finding } from '../reading/parse.js';
import { kindsOf, type SettingDefinition } from '../schema/definition.js';
import { childOf, type Settings } from '../schema/index.js';
import { ROOT } from '../schema/root.js';
import type { SettingScope } from '../types.js';
import { unknownKeyHint } from './unknown-key.js';

export interface Validated {
  settings: Settings;
  findings: Finding[];
}

export function validateSettings(root: Record<string, unknown>, scope: SettingScope): Validated {
  const check = new Check(scope);
  const settings = check.object(root, ROOT, []);
  // Every value was checked against the tables that the type is derived from.
  return { settings: (settings === WRONG ? {} : settings) as Settings, findings: check.findings };
}

const MAX_HINTS = 100;

/** Marks a dropped value. */
const WRONG = Symbol('wrong');

class Check {
  readonly findings: Finding[] = [];

  constructor(private readonly scope: SettingScope) {}

  value(written: unknown, definition: SettingDefinition, path: KeyPath): unknown {
    // The usual case first: these files are read at every start.
    if (definition.kind === typeof written && typeof written === 'boolean') return written;
    const kinds = kindsOf(definition);
    const value = coerce(written, kinds);
    for (const kind of kinds) {
      if (kind === 'any') return value;
      if (kind === 'object' && isObject(value)) return this.object(value, definition, path);
      if (kind === 'array' && Array.isArray(value)) return this.array(value, definition, path);
      if (kind === 'number' && typeof value === 'number') return this.number(value, definition, path);
      if (kind === 'boolean' && typeof value === 'boolean') return value;
      if (kind === 'string' && typeof value === 'string') return this.text(value, definition, path);
      if (kind === 'enum' && typeof value === 'string') return this.choice(value, definition, path);
    }
    if (definition.shorthand !== undefined && isBoolean(value))
      return { [definition.shorthand]: coerce(value, ['boolean']) };
    if (kinds.includes('array') && value !== null) return this.lonelyItem(value, definition, path);
    if (definition.scalars && (typeof value === 'number' || typeof value === 'boolean'))
      return this.asText(value, path);
    return this.wrong(path, `expected ${expectation(definition)}, received ${typeName(value)}`);
  }

  object(value: Record<string, unknown>, definition: SettingDefinition, path: KeyPath): unknown {
    const result: Record<string, unknown> = {};
    let cause: Finding | undefined;
    for (const key of Object.keys(value)) {
      const item = value[key];
      const child = childOf(definition, key);
      const at = [...path, key];
      if (!child) {
        if (definition.open) result[key] = item;
        else this.unknown(definition, at);
        continue;
      }
      if (!this.mayStandHere(child, at)) continue;
      const checked = this.value(item, child, at);
      if (checked !== WRONG) result[key] = checked;
      else if (child.strict !== undefined && !meansOff(item)) result[key] = this.strict(child.strict);
      // A vital map, such as environment variables, is useless with missing entries.
      else if (child.vital || (definition.vital && child === definition.items))
        cause ??= this.findings.at(-1);
    }
    if (!cause) return result;
    cause.hint = `Until it is right, ${formatPath(path)} is left out.`;
    return WRONG;
  }

  /** A wrong value of a restricting setting counts as the strictest one. */
  private strict(value: unknown): unknown {
    const finding = this.findings.at(-1);
    if (finding) finding.hint = `Until it is right, it counts as ${JSON.stringify(value)}.`;
    return value;
  }

  private unknown(parent: SettingDefinition, path: KeyPath): void {
    // In a file with many unknown keys suggestions do not help.
    const hint = this.findings.length < MAX_HINTS ? unknownKeyHint(parent, path) : undefined;
    const isGuard = path[0] === 'security' || isHook(path);
    this.findings.push({
      path,
      message: 'unknown key',
      hint,
      ...(isGuard ? { guard: true } : { unknown: true }),
    });
  }

  private array(value: unknown[], definition: SettingDefinition, path: KeyPath): unknown {
    const item = definition.items ?? TEXT;
    const checked = value.map((entry, index) => this.value(entry, item, [...path, index]));
    const kept = checked.filter((entry) => entry !== WRONG);
    return definition.vital && kept.length < value.length ? WRONG : kept;
  }

  private lonelyItem(value: unknown, definition: SettingDefinition, path: KeyPath): unknown {
    const trial = new Check(this.scope);
    const item = trial.value(value, definition.items ?? TEXT, path);
    if (item === WRONG)
      return this.wrong(path, `expected ${expectation(definition)}, received ${typeName(value)}`);
    this.findings.push(...trial.findings, {
      path,
      message: `expected array, received ${typeName(value)}; it counts as a list with one entry`,
      hint: 'Put it in square brackets.',
    });
    return [item];
  }

  private asText(value: number | boolean, path: KeyPath): string {
    const message = `expected string, received ${typeName(value)}; it counts as text`;
    this.findings.push({ path, message, hint: 'Put it in quotes.' });
    return String(value);
  }

  private number(value: number, { minimum, maximum }: SettingDefinition, path: KeyPath): unknown {
    if (!Number.isFinite(value)) return this.wrong(path, 'this number is too large');
    if (minimum !== undefined && value < minimum)
      return this.wrong(path, `expected a number of at least ${minimum}, received ${value}`);
    if (maximum !== undefined && value > maximum)
      return this.wrong(path, `expected a number of at most ${maximum}, received ${value}`);
    return value;
  }

  private text(value: string, { pattern }: SettingDefinition, path: KeyPath): unknown {
    if (pattern === undefined || new RegExp(pattern).test(value)) return value;
    return this.wrong(path, `"${clip(value)}" does not have the expected form`, `It must match ${pattern}`);
  }

  private choice(value: string, definition: SettingDefinition, path: KeyPath): unknown {
    if (definition.values?.includes(value)) return value;
    const message = `expected ${expectation(definition)}, received "${clip(value)}"`;
    return this.wrong(path, message, undefined, definition.fatal);
  }

  private mayStandHere({ from }: SettingDefinition, path: KeyPath): boolean {
    const isSystem = isSystemScope(this.scope);
    if (from === undefined || (from === 'user_and_system' && this.scope !== 'workspace')) return true;
    if (from === 'system' && isSystem) return true;
    this.findings.push({ path, message: FROM_MESSAGES[from], hint: 'It is ignored here.' });
    return false;
  }

  private wrong(path: KeyPath, message: string, hint?: string, fatal = false): typeof WRONG {
    const isFatal = fatal || (isSystemScope(this.scope) && isRestriction(path));
    const isGuard = isRestriction(path) || isHook(path);
    this.findings.push({
      path,
      message,
      hint,
      ...(isFatal && { fatal: true }),
      ...(isGuard && { guard: true }),
    });
    return WRONG;
  }
}

const TEXT: SettingDefinition = { kind: 'string', description: 'Text.' };

const FROM_MESSAGES = {
  user_and_system: "this can be set in the user's or the system's file only",
  system: "this can be set in the system's file only",
  remote: "this is controlled by an organisation's server and cannot be set in a file",
} as const;

function isSystemScope(scope: SettingScope): boolean {
  return scope === 'system' || scope === 'system-defaults';
}

const RESTRICTIONS: Readonly<Record<string, readonly string[]>> = {
  tools: ['exclude', 'core', 'confirmationRequired', 'sandbox'],
  mcp: ['allowed', 'excluded'],
  model: ['budget'],
};

/**
 * Settings that restrict. Dropping one would allow what the file forbids: a wrong value ends the program in a system
 * file; in other files it is always reported and counts as `strict` where the table has that. Also true for a whole section.
 */
function isRestriction([section, key]: KeyPath): boolean {
  if (section === 'security' || section === 'policyPaths' || section === 'adminPolicyPaths') return true;
  const keys = Object.hasOwn(RESTRICTIONS, String(section)) ? RESTRICTIONS[String(section)] : undefined;
  return keys !== undefined && (key === undefined || keys.includes(String(key)));
}

/** A hook that is left out may have been a guard. */
function isHook([section]: KeyPath): boolean {
  return section === 'hooks' || section === 'hooksConfig';
}

/** Whether a text is a common spelling of "no". */
function meansOff(value: unknown): boolean {
  if (typeof value === 'string') return /^(?:no|off|none|never|disabled|0)?$/i.test(value.trim());
  return value === null || value === 0;
}

function isBoolean(value: unknown): boolean {
  return typeof coerce(value, ['boolean']) === 'boolean';
}

function expectation(definition: SettingDefinition): string {
  const names = kindsOf(definition).map((kind) =>
    kind === 'enum' ? (definition.values ?? []).map((value) => `"${value}"`).join(', ') : kind,
  );
  if (definition.shorthand !== undefined) names.push('boolean');
  const text = names.join(' or ');
  return definition.values && definition.values.length > 1 ? `one of ${text}` : text;
}
