/** What the editor says about the workspace, before a session has begun: it counts before the saved rules. */
import type { Environment } from '../platform/environment.js';
import { createIde } from './create.js';

/** Undefined: no editor, or it does not say. */
export async function editorTrust(environment: Environment): Promise<boolean | undefined> {
  const client = createIde(environment, () => undefined);
  try {
    void client.connect();
    await client.ready();
    return client.context?.isTrusted;
  } finally {
    await client.disconnect();
  }
}

/** An editor may still be starting while the user is asked. */
const LOOK_EVERY_MS = 2_000;

/** Resolves when an editor says something about the workspace; never where none does. Ends with the signal. */
export async function editorTrustSaid(environment: Environment, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const client = createIde(environment, () => {
    if (client.context?.isTrusted !== undefined) resolve();
  });
  const ended = new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true }));
  const look = () => {
    if (client.status.kind === 'disconnected') void client.connect();
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  look();
  try {
    await Promise.race([promise, ended]);
  } finally {
    clearInterval(timer);
    await client.disconnect();
  }
}
