/** The other providers: models of local servers that answer and of the settings, and services that need a key. */
import type { Settings } from '@gemini-cli/core';
import type { RadioItem } from '../../components/RadioButtonSelect.js';
import { cleanLine } from '../../text/clean.js';
import { cutText } from '../../text/columns.js';
import { KEY_SERVICES, type KeyService } from './key-services.js';
import type { LocalServer } from './ports.js';

export type ProviderChoice =
  | { kind: 'model'; name: string }
  /** Has a key: its models are shown. */
  | { kind: 'models' | 'key'; service: KeyService }
  | { kind: 'type' };

const MAX_PER_SERVER = 20;
/** Longer names from a server are cut. */
const MAX_NAME_LENGTH = 200;

export interface FoundProviders {
  servers: readonly LocalServer[];
  /** Providers whose key is saved. */
  savedKeys: readonly string[];
}

export function providerItems(
  { servers, savedKeys }: FoundProviders,
  settings: Settings,
  env: NodeJS.ProcessEnv,
): RadioItem<ProviderChoice>[] {
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
      value: { kind: 'model' as const, name: value },
      label: shown(value),
      detail: shown(detail),
    })),
    ...KEY_SERVICES.map((service) => serviceItem(service, savedKeys, env)),
    { value: { kind: 'type' }, label: 'Type a name, such as openai/gpt-5 or ollama/qwen3' },
  ];
}

function serviceItem(
  service: KeyService,
  savedKeys: readonly string[],
  env: NodeJS.ProcessEnv,
): RadioItem<ProviderChoice> {
  const { id, title, apiKeyEnv } = service;
  const why = env[apiKeyEnv]?.trim()
    ? `${apiKeyEnv} is set`
    : savedKeys.includes(id)
      ? 'its key is saved'
      : undefined;
  return why === undefined
    ? { value: { kind: 'key', service }, label: `${title}: paste a key` }
    : { value: { kind: 'models', service }, label: `${title}: choose a model`, detail: why };
}

export function providerNotes(servers: readonly LocalServer[]): string[] {
  const empty = servers.filter(({ models }) => models.length === 0);
  return [
    ...(servers.length === 0
      ? ['No model server answers on this machine (Ollama, LM Studio, llama.cpp, vLLM).']
      : []),
    ...empty.map(({ provider, baseUrl }) =>
      cleanLine(`${provider} runs at ${baseUrl}, but has no model yet.`),
    ),
  ];
}
