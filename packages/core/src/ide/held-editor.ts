/** The connection on which the editor was asked about a folder, until the session that begins there takes it over. */
import type { Environment } from '../platform/environment.js';
import type { IdeClient } from './ide-client.js';

/** A sign-in may come first; in a program that only starts another one, no session comes at all. */
const UNCLAIMED_MS = 60_000;

const held = new WeakMap<Environment, IdeClient>();

export function holdEditor(environment: Environment, client: IdeClient): void {
  held.set(environment, client);
  setTimeout(() => void takeEditor(environment)?.disconnect(), UNCLAIMED_MS).unref();
}

/** At most once. */
export function takeEditor(environment: Environment): IdeClient | undefined {
  const client = held.get(environment);
  held.delete(environment);
  return client;
}
