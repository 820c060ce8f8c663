/**
 * The controls of an organisation: applied with the first use of its account, then polled; a change asks for a restart
 * of the engine.
 */
import { FatalConfigError, messageOf } from '../base/errors.js';
import type { EventStream } from '../bus/event-stream.js';
import type { AdminControls } from '../model/code-assist/admin-controls.js';
import type { GoogleAccount } from '../model/create.js';
import { createLog } from '../platform/log.js';

export interface AdminParts {
  account: GoogleAccount;
  apply: (controls: AdminControls) => void;
  events: EventStream;
  signal: AbortSignal;
  pollMs?: number;
}

const POLL_MS = 5 * 60_000;
const log = createLog('admin');

/** @throws FatalConfigError when the controls of a managed account cannot be read: they may forbid what follows */
export async function applyAdminControls({
  account,
  apply,
  events,
  signal,
  pollMs = POLL_MS,
}: AdminParts): Promise<void> {
  const fetch = account.adminControls;
  if (!fetch) return;
  const controls = await fetch(signal).catch((error: unknown) => {
    throw new FatalConfigError(
      `The controls of your organisation cannot be read: ${messageOf(error)}`,
      error,
    );
  });
  if (controls) apply(controls);
  poll(fetch, JSON.stringify(controls), { events, signal, pollMs });
}

/** Until they have changed once: then the user is asked, and the next engine begins anew. */
function poll(
  fetch: NonNullable<GoogleAccount['adminControls']>,
  first: string | undefined,
  { events, signal, pollMs }: { events: EventStream; signal: AbortSignal; pollMs: number },
): void {
  const timer = setInterval(() => {
    fetch(signal).then(
      (controls) => {
        if (JSON.stringify(controls) === first) return;
        clearInterval(timer);
        void events.ask({ kind: 'admin_changed' }, { signal });
      },
      (error: unknown) => log.warn('the controls could not be read', error),
    );
  }, pollMs);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
