/** `@gemini-cli/core/server`: parts that servers around the engine share with it. */

export { extractTar } from './platform/archives/tar.js';
export { type Clock, systemClock } from './platform/clock.js';
export { replaceFile } from './platform/files/atomic-write.js';
export { type HeldLock, tryLock } from './platform/locks/lock-file.js';
export { isOwnerGone, lockSignature } from './platform/locks/lock-owner.js';
export { addressProblem, hostProblem } from './platform/net/address-guard.js';
export { NameCheck } from './platform/net/checked-lookup.js';
export { HttpClient, type HttpRequest } from './platform/net/http.js';
export { refuseStranger } from './platform/net/local-server-guard.js';

/** How a session is drawn as HTML; loaded when the first page is asked for. */
export type SessionHtml = typeof import('./sessions/exports/html/fragment.js');
export function loadSessionHtml(): Promise<SessionHtml> {
  return import('./sessions/exports/html/fragment.js');
}
export { DeveloperError } from './base/errors.js';
