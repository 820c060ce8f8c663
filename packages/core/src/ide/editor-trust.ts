/** What the editor says about the workspace, before a session has begun: asked only where the user has not decided. */
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
