/** Which protocol version a request speaks. */

import type { IncomingMessage } from 'node:http';
import { VersionNotSupportedError } from '@a2a-js/sdk/errors';

export type ProtocolVersion = '0.3' | '1.0';

/** Without the header it is 0.3, whose clients do not know it. @throws VersionNotSupportedError */
export function versionOf({ headers }: Pick<IncomingMessage, 'headers'>): ProtocolVersion {
  const given = String(headers['a2a-version'] ?? '').trim();
  if (given === '' || /^0\.3(\.\d+)?$/.test(given)) return '0.3';
  if (/^1\.0(\.\d+)?$/.test(given)) return '1.0';
  throw new VersionNotSupportedError(
    `The A2A version ${JSON.stringify(given.slice(0, 20))} is not supported. Supported: 0.3, 1.0.`,
  );
}
