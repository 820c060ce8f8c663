/** Which models replace which, and what happens on each kind of failure. */
import type { ModelDefinition } from '../catalog/data.js';
import { FULL_ACCESS, type ModelAccess } from '../catalog/resolutions.js';
import { ModelCatalog } from '../catalog.js';

export const POLICY_FAILURES = ['terminal', 'transient', 'not_found', 'unknown'] as const;
export type PolicyFailure = (typeof POLICY_FAILURES)[number];
/** `prompt`: the user is asked, if possible. */
export type PolicyAction = 'silent' | 'prompt';
export type PolicyTransition = 'terminal' | 'sticky_retry';

export interface ModelPolicy {
  model: string;
  /** Used when no other model of the chain is available. Exactly one per chain. */
  isLastResort: boolean;
  /** Absent: `general.maxAttempts`. */
  maxAttempts?: number;
  actions: Record<PolicyFailure, PolicyAction>;
  stateTransitions: Record<PolicyFailure, PolicyTransition>;
}

/** What the chain depends on; `Config` has it, too. */
export interface ChainConfig {
  /** The alias or model the user asked for. */
  getModel(): string;
  /** The current model; absent: the same. */
  getActiveModel?(): string;
  catalog?: ModelCatalog;
  access?: ModelAccess;
  /** `modelConfigs.modelChains`, read by `readChains`. */
  chains?: Readonly<Record<string, readonly ModelPolicy[]>>;
  isPlanMode?: boolean;
}

const ALL_PROMPT = all<PolicyAction>('prompt');
const ALL_SILENT = all<PolicyAction>('silent');
/** Faults may heal by themselves; an empty quota or a missing model does not. */
export const TRANSITIONS: Record<PolicyFailure, PolicyTransition> = {
  ...all<PolicyTransition>('terminal'),
  transient: 'sticky_retry',
};
const LAST_RESORT_ATTEMPTS = 10;
const AUTO_PRO_ATTEMPTS = 3;

/** The models to try, the active one first. Never empty, no model twice. */
export function resolvePolicyChain(config: ChainConfig): ModelPolicy[] {
  const chain = resolveChain(config).policies;
  return config.isPlanMode ? chain.map((policy) => ({ ...policy, actions: ALL_SILENT })) : chain;
}

/** Whether the user wrote the chain, and so agreed to its actions. */
export function isOwnChain(config: ChainConfig): boolean {
  return resolveChain(config).isOwn;
}

function resolveChain(config: ChainConfig): { policies: ModelPolicy[]; isOwn: boolean } {
  const { catalog = new ModelCatalog(), access = FULL_ACCESS, chains = {} } = config;
  const requested = config.getModel();
  const active = catalog.resolve(config.getActiveModel?.() ?? requested, access);
  const resolved = (chain: readonly ModelPolicy[]) =>
    withoutRepeats(chain.map((policy) => ({ ...policy, model: catalog.resolve(policy.model, access) })));
  const named = [requested, active].find((name) => Object.hasOwn(chains, name));
  if (named) return { policies: startingAt(active, resolved(chains[named] ?? []), true), isOwn: true };

  const { name, chain, wraps } = builtinChain(catalog, access, requested, active);
  const replaced = name && Object.hasOwn(chains, name) ? chains[name] : undefined;
  if (replaced) return { policies: startingAt(active, resolved(replaced), wraps), isOwn: true };
  const holding = name
    ? undefined
    : Object.values(chains)
        .map(resolved)
        .find((items) => holds(items, active));
  if (holding) return { policies: startingAt(active, holding, false), isOwn: true };
  // Without a current model: the order of the chain itself.
  const start = config.getActiveModel || !catalog.isAuto(requested) ? active : undefined;
  return { policies: startingAt(start, withoutRepeats(chain), wraps), isOwn: false };
}

interface BuiltinChain {
  /** Key in the settings that replaces it; absent for unknown models. */
  name?: string;
  chain: ModelPolicy[];
  wraps: boolean;
}

function builtinChain(
  catalog: ModelCatalog,
  access: ModelAccess,
  requested: string,
  active: string,
): BuiltinChain {
  if (catalog.isAuto(requested)) {
    const { pro, flash } = catalog.autoPair(requested, access);
    const isNew = catalog.definitionOf(pro)?.family === 'gemini-3';
    return { name: isNew ? 'auto-preview' : 'auto-default', chain: autoChain(pro, flash), wraps: true };
  }
  const known = catalog.definitionOf(active);
  if (!known || known.tier === 'custom' || known.tier === 'embedding') {
    return { chain: [policy(active, { isLastResort: true })], wraps: false };
  }
  if (known.tier === 'flash-lite') {
    const chain = [
      policy(active, { actions: ALL_SILENT }),
      policy(beside(active, 'gemini-3.5-flash'), { actions: ALL_SILENT }),
      policy(beside(active, 'gemini-2.5-pro'), { actions: ALL_SILENT, isLastResort: true }),
    ];
    return { name: 'lite', chain, wraps: false };
  }
  return known.family === 'gemini-2.5' ? defaultChain(active) : previewChain(catalog, access, known, active);
}

function defaultChain(active: string): BuiltinChain {
  const flash = active.endsWith('gemini-2.5-flash') ? active : beside(active, 'gemini-3.5-flash');
  const pro = active.endsWith('gemini-2.5-pro') ? active : beside(active, 'gemini-2.5-pro');
  return { name: 'default', chain: [policy(pro), lastResort(flash)], wraps: false };
}

function previewChain(
  catalog: ModelCatalog,
  access: ModelAccess,
  { tier }: ModelDefinition,
  active: string,
): BuiltinChain {
  const pro = tier === 'pro' ? active : beside(active, catalog.resolve('pro', access));
  const flash = tier === 'pro' ? beside(active, catalog.resolve('flash', access)) : active;
  return { name: 'preview', chain: [policy(pro), lastResort(flash)], wraps: true };
}

/** With the same provider prefix: a Vertex user may have no other sign-in. */
function beside(active: string, model: string): string {
  return active.startsWith('vertex/') ? `vertex/${model}` : model;
}

function autoChain(pro: string, flash: string): ModelPolicy[] {
  // A temporary problem is not a reason to ask: with an auto name we choose the model.
  const auto = { actions: { ...ALL_PROMPT, transient: 'silent' as const } };
  return [policy(pro, { ...auto, maxAttempts: AUTO_PRO_ATTEMPTS }), { ...lastResort(flash), ...auto }];
}

export function policy(model: string, own: Partial<ModelPolicy> = {}): ModelPolicy {
  return { model, isLastResort: false, actions: ALL_PROMPT, stateTransitions: TRANSITIONS, ...own };
}

function lastResort(model: string): ModelPolicy {
  return policy(model, { isLastResort: true, maxAttempts: LAST_RESORT_ATTEMPTS });
}

export function all<T>(value: T): Record<PolicyFailure, T> {
  return { terminal: value, transient: value, not_found: value, unknown: value };
}

function holds(chain: readonly ModelPolicy[], model: string): boolean {
  return chain.some((item) => item.model === model);
}

/** A chain without the model stays as it is; one that does not wrap loses the entries before it. */
function startingAt(model: string | undefined, chain: readonly ModelPolicy[], wraps: boolean): ModelPolicy[] {
  const start = Math.max(
    0,
    chain.findIndex((item) => item.model === model),
  );
  const rest = chain.slice(start);
  return wraps ? [...rest, ...chain.slice(0, start)] : withLastResort(rest);
}

/** Two names may lead to one model. */
function withoutRepeats(chain: readonly ModelPolicy[]): ModelPolicy[] {
  const seen = new Set<string>();
  return withLastResort(chain.filter(({ model }) => !seen.has(model) && seen.add(model)));
}

/** If shortening removed the last resort, the last remaining entry becomes it. */
export function withLastResort(chain: readonly ModelPolicy[]): ModelPolicy[] {
  if (chain.some((item) => item.isLastResort)) return [...chain];
  return chain.map((item, index) => (index === chain.length - 1 ? { ...item, isLastResort: true } : item));
}
