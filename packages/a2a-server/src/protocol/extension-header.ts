/** Says which of the extensions that a client asks for are in use, under the header of its protocol version. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEVELOPMENT_TOOL } from './card.js';

/** Of 1.0 and 0.3. */
const NAMES = ['a2a-extensions', 'x-a2a-extensions'];

export function confirmExtensions({ headers }: IncomingMessage, response: ServerResponse): void {
  for (const name of NAMES) {
    const asked = String(headers[name] ?? '').split(',');
    if (asked.some((uri) => uri.trim() === DEVELOPMENT_TOOL)) response.setHeader(name, DEVELOPMENT_TOOL);
  }
}
