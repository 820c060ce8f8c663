/** Models of other providers that can be used right now: local servers that answer, and providers whose key is set. */
import type { Settings } from '@gemini-cli/core';
import type { Choice } from '../../primitives/radio.js';
import { cleanLine } from '../../text/clean.js';
import type { LocalServer } from './ports.js';

/** A name of a model, or that one wants to type it. */
export type ProviderChoice = { model: string } | 'type';

const MOST_PER_SERVER = 20;

export function providerChoices(
  servers: readonly LocalServer[],
  settings: Settings,
): Choice<ProviderChoice>[] {
  const local = servers.flatMap(({ provider, models, baseUrl }) =>
    models.slice(0, MOST_PER_SERVER).map((model) => ({
      value: { model: `${provider}/${model}` },
      label: `${provider}/${model}`,
      detail: baseUrl,
    })),
  );
  const named = Object.entries(settings.model?.providers ?? {}).flatMap(([id, { models = [] }]) =>
    models.map((model) => ({
      value: { model: `${id}/${model}` },
      label: `${id}/${model}`,
      detail: 'from the settings',
    })),
  );
  const known = new Set(local.map(({ label }) => label));
  const listed = [...local, ...named.filter(({ label }) => !known.has(label))];
  return [
    ...listed.map(({ value, label, detail }) => ({
      value,
      label: cleanLine(label),
      detail: cleanLine(detail),
    })),
    { value: 'type', label: 'Type a name, such as openai/gpt-5 or ollama/qwen3' },
  ];
}

const KEYS = [
  ['openai', 'OPENAI_API_KEY'],
  ['anthropic', 'ANTHROPIC_API_KEY'],
  ['openrouter', 'OPENROUTER_API_KEY'],
] as const;

export function providerNotes(servers: readonly LocalServer[], env: NodeJS.ProcessEnv): string[] {
  const empty = servers.filter(({ models }) => models.length === 0);
  return [
    ...(servers.length === 0
      ? ['No model server answers on this machine (Ollama, LM Studio, llama.cpp, vLLM).']
      : []),
    ...empty.map(({ provider, baseUrl }) =>
      cleanLine(`${provider} runs at ${baseUrl}, but has no model yet.`),
    ),
    ...KEYS.map(([id, name]) =>
      env[name]?.trim() ? `${id}/…: ${name} is set.` : `${id}/…: set ${name} first.`,
    ),
  ];
}
