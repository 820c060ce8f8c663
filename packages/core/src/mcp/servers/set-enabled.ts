/** Enables or disables a server for the session or for good, and applies it to the running servers. */
import type { CreatedMcp } from '../create.js';
import { normalized } from './names.js';

/** @returns why the server stays off all the same */
export async function setServerEnabled(
  {
    manager,
    enablement,
    disabledInSession,
  }: Pick<CreatedMcp, 'manager' | 'enablement' | 'disabledInSession'>,
  name: string,
  enabled: boolean,
  { isSession }: { isSession: boolean },
): Promise<string | undefined> {
  const key = normalized(name);
  if (!isSession) await enablement.set(name, enabled);
  else if (!enabled) disabledInSession.add(key);
  // Enabling a server ends both: the user wants to use it now.
  if (enabled) disabledInSession.delete(key);
  await manager.refresh();
  if (!enabled) return undefined;
  return manager.servers().find(({ server }) => normalized(server.name) === key)?.block?.reason;
}
