/** What the editor says about the workspace, before a session has begun: it counts before the saved rules. */
import type { Environment } from '../platform/environment.js';
import { createIde } from './create.js';
import type { IdeClient } from './ide-client.js';

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

/** What an editor says as soon as one says it; undefined when the signal ends the wait before. */
export async function nextEditorTrust(
  environment: Environment,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const looks = new AbortController();
  let client: IdeClient | undefined;
  try {
    return await new Promise<boolean | undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true, signal: looks.signal });
      const heard = () => {
        if (client?.context?.isTrusted !== undefined) resolve(client.context.isTrusted);
      };
      client = createIde(environment, heard);
      const look = () => {
        if (client?.status.kind === 'disconnected') void client.connect();
      };
      const timer = setInterval(look, LOOK_EVERY_MS);
      looks.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
      look();
    });
  } finally {
    looks.abort();
    await client?.disconnect();
  }
}
