/** `model.fallbacks` and `modelConfigs.modelChains` of the settings, checked. */
import { isObject, objectOf } from '../../base/objects.js';
import { isCount } from '../catalog/read-settings.js';
import { ERROR_CLASSES } from '../errors/error-class.js';
import type { FallbackEntry } from './fallback.js';
import {
  all,
  type ModelPolicy,
  POLICY_FAILURES,
  type PolicyFailure,
  policy,
  TRANSITIONS,
  withLastResort,
} from './policy-chains.js';

/** `{<name>: [{model, isLastResort?, maxAttempts?, actions?, stateTransitions?} | "model"]}`. */
export function readChains(value: unknown): { chains: Record<string, ModelPolicy[]>; problems: string[] } {
  const chains: Record<string, ModelPolicy[]> = {};
  const problems: string[] = [];
  for (const [name, items] of Object.entries(objectOf(value))) {
    const chain = Array.isArray(items) ? items.map(readPolicy) : [];
    const whole = chain.filter((item) => item !== undefined);
    const lastResorts = whole.filter((item) => item.isLastResort).length;
    if (whole.length === 0 || whole.length < chain.length) {
      problems.push(`modelConfigs.modelChains.${name} is not a list of models.`);
    } else if (lastResorts > 1) {
      problems.push(
        `modelConfigs.modelChains.${name} has ${lastResorts} entries with isLastResort; one is allowed.`,
      );
    } else {
      chains[name] = withLastResort(whole);
    }
  }
  return { chains, problems };
}

function readPolicy(value: unknown): ModelPolicy | undefined {
  // A plain list of names means: continue without asking.
  if (typeof value === 'string') return value ? policy(value, { actions: all('silent') }) : undefined;
  if (!isObject(value) || typeof value['model'] !== 'string' || !value['model']) return undefined;
  const { model, isLastResort, maxAttempts, actions, stateTransitions } = value;
  return policy(model as string, {
    isLastResort: isLastResort === true,
    ...(isCount(maxAttempts) && { maxAttempts: Math.ceil(maxAttempts) }),
    actions: perFailure(actions, ['silent', 'prompt'], all('prompt')),
    stateTransitions: perFailure(stateTransitions, ['terminal', 'sticky_retry'], TRANSITIONS),
  });
}

function perFailure<T extends string>(
  value: unknown,
  allowed: readonly T[],
  defaults: Record<PolicyFailure, T>,
): Record<PolicyFailure, T> {
  const result = { ...defaults };
  for (const failure of POLICY_FAILURES) {
    const found = isObject(value) ? allowed.find((item) => item === value[failure]) : undefined;
    if (found) result[failure] = found;
  }
  return result;
}

/** `model.fallbacks`: names, or `{model, on}`. Unknown classes in `on` match nothing. */
export function readFallbacks(value: unknown): FallbackEntry[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const fields = typeof item === 'string' ? { model: item } : item;
    if (!isObject(fields) || typeof fields['model'] !== 'string' || !fields['model']) return [];
    const { model, on } = fields;
    const classes = Array.isArray(on) ? ERROR_CLASSES.filter((name) => on.includes(name)) : undefined;
    return [{ model, ...(classes && { on: classes }) }];
  });
}
