/** What there is to choose from, and what is left of each. */
import type { Config } from '@gemini-cli/core';
import type { Look } from '../../look.js';
import type { Choice } from '../../primitives/radio.js';
import { cleanLine } from '../../text/clean.js';

export interface QuotaBucket {
  model: string;
  /** 0 to 1. */
  remainingFraction: number;
  resetTime?: string;
}

export interface ModelEntry {
  name: string;
  displayName: string;
  description: string;
  isAuto: boolean;
  /** Of an auto name: the models it may use. */
  uses?: readonly string[];
}

export interface ModelPort {
  /** What was asked for: a model or an auto name. */
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

export type ModelChoice = { model: string } | 'manual';

/** Auto names, and the way to the single models; the one in use also stands here when it is a single one. */
export function mainChoices(entries: readonly ModelEntry[], requested: string): Choice<ModelChoice>[] {
  const autos = entries.filter(({ isAuto }) => isAuto);
  const isManual = !autos.some(({ name }) => name === requested);
  return [
    ...autos.map(({ name, displayName, description, uses }) => ({
      value: { model: name },
      label: cleanLine(displayName),
      detail: cleanLine([description, uses && `Uses ${uses.join(', ')}.`].filter(Boolean).join(' ')),
    })),
    {
      value: 'manual',
      label: isManual ? `Manual (${cleanLine(requested)})` : 'Manual',
      detail: 'One model for all prompts.',
    },
  ];
}

export function manualChoices(
  look: Look,
  entries: readonly ModelEntry[],
  quota: readonly QuotaBucket[],
): Choice<ModelChoice>[] {
  return entries
    .filter(({ isAuto }) => !isAuto)
    .map(({ name, displayName, description }) => {
      const bucket = quota.find(({ model }) => model === name);
      const title = displayName === name ? name : `${displayName} (${name})`;
      const left = bucket ? quotaText(look, bucket) : '';
      return {
        value: { model: name },
        label: cleanLine(title),
        detail: [left, cleanLine(description)].filter(Boolean).join(' ') || undefined,
      };
    });
}

const BAR = 10;

function quotaText({ screenReader }: Look, { remainingFraction, resetTime }: QuotaBucket): string {
  const share = Math.min(1, Math.max(0, remainingFraction));
  const full = Math.round(share * BAR);
  const bar = screenReader ? '' : `${'█'.repeat(full)}${'░'.repeat(BAR - full)} `;
  const date = resetTime ? new Date(resetTime) : undefined;
  const reset = date && !Number.isNaN(date.getTime()) ? `, resets ${date.toLocaleString()}` : '';
  return `${bar}${Math.round(share * 100)}% left${reset}`;
}
