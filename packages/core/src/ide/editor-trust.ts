/** What the editor says about the workspace, before a session has begun: it counts before the saved rules. */
import { messageOf } from '../base/errors.js';
import type { Environment } from '../platform/environment.js';
import { createLog } from '../platform/log.js';
import { createIde } from './create.js';
import type { IdeClient } from './ide-client.js';

const log = createLog('ide');

export interface EditorAnswer {
  /** Undefined: no editor, or it does not say. */
  trusted: boolean | undefined;
  /** When it is kept: connected, or still at it. */
  client?: IdeClient;
}

/** @param keeps the connection is for the caller to close */
export async function editorTrust(environment: Environment, keeps: boolean): Promise<EditorAnswer> {
  const client = createIde(environment, () => undefined);
  void client.connect();
  await client.ready();
  const trusted = client.context?.isTrusted;
  if (keeps && (client.status.kind === 'connected' || client.isTrying)) return { trusted, client };
  // Not awaited: the start continues, and the companion needs no more of us.
  client.disconnect().catch((error: unknown) => log.debug(messageOf(error)));
  return { trusted };
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
