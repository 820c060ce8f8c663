/** The models to choose from, and the remaining quota of each. */
import type { Config } from '@gemini-cli/core';
import type { QuotaBucket } from '../../components/ModelQuotaDisplay.js';
import { cleanLine } from '../../text/clean.js';

export interface ModelEntry {
  name: string;
  displayName: string;
  description: string;
  isAuto: boolean;
  /** The models that an auto name may use. */
  uses?: readonly string[];
}

export interface ModelPort {
  /** The requested model or auto name. */
  requested: string;
  list(): readonly ModelEntry[];
  quota(signal: AbortSignal): Promise<readonly QuotaBucket[]>;
}

export function modelPort(config: Config): ModelPort {
  const catalog = config.getModelCatalog();
  return {
    requested: config.parameters.model,
    list: () =>
      catalog.list().map(({ name, displayName, description, tier }) => {
        const isAuto = tier === 'auto';
        const pair = isAuto ? catalog.autoPair(name) : undefined;
        return { name, displayName, description, isAuto, ...(pair && { uses: [pair.pro, pair.flash] }) };
      }),
    quota: (signal) => config.refreshUserQuota(signal),
  };
}

/** The auto names with their models. */
export function autoDetail({ description, uses }: ModelEntry): string {
  return cleanLine([description, uses && `Uses ${uses.join(', ')}.`].filter(Boolean).join(' '));
}

export function modelTitle({ name, displayName }: ModelEntry): string {
  return cleanLine(displayName === name ? name : `${displayName} (${name})`);
}
