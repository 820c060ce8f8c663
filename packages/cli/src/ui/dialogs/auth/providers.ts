/** Models of other providers that are usable now: of local servers that answer, and of providers whose key is set. */
import type { Settings } from '@gemini-cli/core';
import type { RadioItem } from '../../components/RadioButtonSelect.js';
import { cleanLine } from '../../text/clean.js';
import { cutText } from '../../text/columns.js';
import type { LocalServer } from './ports.js';

/** Instead of a model name: the user wants to type one. */
export const TYPE_NAME = '';

const MAX_PER_SERVER = 20;
/** Longer names from a server are cut. */
const MAX_NAME_LENGTH = 200;

export function providerItems(servers: readonly LocalServer[], settings: Settings): RadioItem<string>[] {
  const local = servers.flatMap(({ provider, models, baseUrl }) =>
    models.slice(0, MAX_PER_SERVER).map((model) => ({ value: `${provider}/${model}`, detail: baseUrl })),
  );
  const named = Object.entries(settings.model?.providers ?? {}).flatMap(([id, { models = [] }]) =>
    models.map((model) => ({ value: `${id}/${model}`, detail: 'from the settings' })),
  );
  const known = new Set(local.map(({ value }) => value));
  const shown = (text: string) => cutText(cleanLine(text), MAX_NAME_LENGTH);
  return [
    ...[...local, ...named.filter(({ value }) => !known.has(value))].map(({ value, detail }) => ({
      value,
      label: shown(value),
      detail: shown(detail),
    })),
    { value: TYPE_NAME, label: 'Type a name, such as openai/gpt-5 or ollama/qwen3' },
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
