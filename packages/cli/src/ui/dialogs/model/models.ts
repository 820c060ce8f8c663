/** The models to choose from: Google's, those of other providers that can be used now, and what each costs. */
import { type Config, type FrontEndModule, loadFrontEnd } from '@gemini-cli/core';
import type { QuotaBucket } from '../../components/ModelQuotaDisplay.js';
import { cleanLine } from '../../text/clean.js';
import type { DialogServices } from '../dialog.js';

type ProviderModels = Awaited<ReturnType<FrontEndModule['listProviderModels']>>[number];

export interface ModelEntry {
  name: string;
  displayName: string;
  description: string;
  isAuto: boolean;
  /** The models that an auto name may use. */
  uses?: readonly string[];
  /** Tokens; absent: not known. */
  contextWindow?: number | undefined;
  /** Dollars per million tokens; absent: not known. */
  price?: { input: number; output: number } | undefined;
}

export interface OtherModels {
  entries: readonly ModelEntry[];
  /** Providers that have a key, but did not answer. */
  problems: readonly string[];
}

export interface ModelPort {
  /** The requested model or auto name. */
  requested: string;
  list(): readonly ModelEntry[];
  /** Of other providers; asks those that have a key, and servers on this machine. */
  others(signal: AbortSignal): Promise<OtherModels>;
  quota(signal: AbortSignal): Promise<readonly QuotaBucket[]>;
}

/** A longer name is not one that a user could want. */
const MAX_NAME_LENGTH = 200;

export function modelPort(config: Config, { env, proxy, settings }: DialogServices): ModelPort {
  const catalog = config.getModelCatalog();
  const facts = (name: string) => ({
    contextWindow: catalog.statedContextWindow(name),
    price: config.getLedger().priceOf(name),
  });
  return {
    requested: config.parameters.model,
    list: () => [
      ...catalog.list().map(({ name, displayName, description, tier }) => {
        const isAuto = tier === 'auto';
        const pair = isAuto ? catalog.autoPair(name) : undefined;
        const entry = { name, displayName, description, isAuto };
        return { ...entry, ...(pair ? { uses: [pair.pro, pair.flash] } : facts(name)) };
      }),
      OFFLINE_GUIDE,
    ],
    async others(signal) {
      const { listProviderModels, HttpClient } = await loadFrontEnd();
      const http = new HttpClient({}, { variables: env, proxy });
      try {
        const found = await listProviderModels({
          env,
          providers: settings.merged.model?.providers,
          unasked: Object.keys(settings.layer('workspace').model?.providers ?? {}),
          http,
          signal,
        });
        return {
          entries: found.flatMap((provider) => entriesOf(provider, facts)),
          problems: found.flatMap(({ problem }) => problem ?? []),
        };
      } finally {
        http.close();
      }
    },
    quota: (signal) => config.refreshUserQuota(signal),
  };
}

const OFFLINE_GUIDE: ModelEntry = {
  name: 'offline',
  displayName: 'offline',
  description: 'The built-in guide: rules instead of a model, without network or account.',
  isAuto: false,
};

function entriesOf(
  { provider, models, baseUrl, isLocal }: ProviderModels,
  facts: (name: string) => Pick<ModelEntry, 'contextWindow' | 'price'>,
): ModelEntry[] {
  return models.flatMap(({ id, contextWindow, price }) => {
    if (id.length > MAX_NAME_LENGTH) return [];
    const name = `${provider}/${id}`;
    const known = facts(name);
    return {
      name,
      displayName: name,
      description: isLocal ? `On this machine, ${baseUrl}` : '',
      isAuto: false,
      contextWindow: known.contextWindow ?? contextWindow,
      price: known.price ?? price,
    };
  });
}

/** Each once: a model that the settings name may also be listed by its provider. */
export function allModels(own: readonly ModelEntry[], others: readonly ModelEntry[]): ModelEntry[] {
  const known = new Set(own.map(({ name }) => name));
  return [...own, ...others.filter(({ name }) => !known.has(name))];
}

/** All words of the query occur in name or title. */
export function matching(entries: readonly ModelEntry[], query: string): ModelEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ name, displayName }) => {
    const text = `${name} ${displayName}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The auto names with their models. */
export function autoDetail({ description, uses }: ModelEntry): string {
  return cleanLine([description, uses && `Uses ${uses.join(', ')}.`].filter(Boolean).join(' '));
}

export function modelTitle({ name, displayName }: ModelEntry): string {
  return cleanLine(displayName === name ? name : `${displayName} (${name})`);
}

/** `$1.25 in, $10 out per million tokens · 400k context`. */
export function modelDetail({ description, contextWindow, price }: ModelEntry): string {
  const cost =
    price &&
    (price.input + price.output === 0
      ? 'free'
      : `$${price.input} in, $${price.output} out per million tokens`);
  const window = contextWindow && `${tokens(contextWindow)} context`;
  return cleanLine([description, cost, window].filter(Boolean).join(' · '));
}

function tokens(count: number): string {
  if (count >= 1_000_000) return `${Math.round(count / 100_000) / 10}M`;
  return count >= 1_000 ? `${Math.round(count / 1_000)}k` : String(count);
}
