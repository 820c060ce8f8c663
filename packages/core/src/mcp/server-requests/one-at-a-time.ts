/** Lets each server have one open request: a server must not be able to bury the user under questions. */
import { UserError } from '../../base/errors.js';

class BusyError extends UserError {
  override readonly name = 'BusyError';
}

export function oneAtATime<P, R>(
  handle: (server: { name: string }, params: P, signal: AbortSignal) => Promise<R>,
): (server: { name: string }, params: P, signal: AbortSignal) => Promise<R> {
  const open = new Set<string>();
  return async (server, params, signal) => {
    if (open.has(server.name)) throw new BusyError('Another request of this kind is still open.');
    open.add(server.name);
    try {
      return await handle(server, params, signal);
    } finally {
      open.delete(server.name);
    }
  };
}
