/** Finds out whether there is a newer version for this copy, and how it would be installed. */
import { homeOf } from '@gemini-cli/core';
import { findInstallation } from './installation.js';
import { fetchTags, registryFor } from './registry.js';
import { newerVersion } from './version.js';

export interface LookRequest {
  env: NodeJS.ProcessEnv;
  /** `general.proxy` */
  proxy?: string | undefined;
  version: string;
  /** The file Node runs. */
  script: string | undefined;
  signal: AbortSignal;
}

export type Look =
  /** No registry was asked. */
  | { state: 'checkout' | 'unpublished' }
  | { state: 'unknown'; registry: string }
  | { state: 'current' }
  /** `command`: undefined when this copy cannot be updated, e.g. one of npx. */
  | { state: 'newer'; version: string; command: readonly string[] | undefined };

export async function lookForUpdate({ env, proxy, version, script, signal }: LookRequest): Promise<Look> {
  const installation = findInstallation(script, env);
  if (!installation) return { state: 'unpublished' };
  const { name, isPrivate } = installation.package;
  const registry = registryFor(name, env, homeOf(env));
  // The public registry knows nothing of a copy that was never published, or of one from the sources.
  if (!registry.isConfigured && installation.isCheckout) return { state: 'checkout' };
  if (!registry.isConfigured && isPrivate) return { state: 'unpublished' };
  const tags = await fetchTags(name, registry.url, { variables: env, proxy }, signal);
  if (!tags) return { state: 'unknown', registry: registry.url };
  const newer = newerVersion(version, tags);
  if (!newer) return { state: 'current' };
  return { state: 'newer', version: newer, command: installation.updateCommand(newer) };
}
