/** Asks the user's package registry for the available versions. Failures are ignored. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadFrontEnd, type ProxySource } from '@gemini-cli/core';

const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';
const LIMIT_MS = 2_000;
const MAX_BYTES = 64 * 1024;

export interface RegistryChoice {
  url: string;
  /** False for the public default. */
  isConfigured: boolean;
}

/** As npm does: the environment, then the user's `.npmrc`. A project's `.npmrc` must not redirect updates. */
export function registryFor(name: string, env: NodeJS.ProcessEnv, home: string): RegistryChoice {
  const fromEnv = env['npm_config_registry'] || env['NPM_CONFIG_REGISTRY'];
  const found = fromEnv || fromNpmrc(name, join(home, '.npmrc'));
  return { url: withSlash(found || DEFAULT_REGISTRY), isConfigured: Boolean(found) };
}

/** Versions by tag (`latest`, `nightly`, …); undefined without a valid answer in time. */
export async function fetchTags(
  name: string,
  registry: string,
  proxies: ProxySource,
  signal: AbortSignal,
): Promise<Record<string, string> | undefined> {
  const { HttpClient } = await loadFrontEnd();
  const http = new HttpClient({ firstByteMs: LIMIT_MS, silenceMs: LIMIT_MS, totalMs: LIMIT_MS }, proxies);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  try {
    const url = new URL(`-/package/${encodeURIComponent(name)}/dist-tags`, registry);
    const response = await http.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      signal: limit,
    });
    if (response.status !== 200) {
      response.dispose();
      return undefined;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > MAX_BYTES) return undefined;
      chunks.push(chunk);
    }
    return tagsOf(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch {
    return undefined;
  } finally {
    http.close();
  }
}

function tagsOf(value: unknown): Record<string, string> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

function fromNpmrc(name: string, file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const found = /^\s*([^#;=\s]+)\s*=\s*(\S+)\s*$/.exec(line);
    if (found?.[1] && found[2]) values.set(found[1], found[2]);
  }
  const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')) : undefined;
  return (scope && values.get(`${scope}:registry`)) ?? values.get('registry');
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
