/** Who may use the server: one bearer token, one user with a password, or, without either, everyone on this machine. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.js';

export interface Credentials {
  token?: string;
  /** `user:password` */
  basic?: string;
}

const NEEDED = 'Credentials are needed: a bearer token, or a user with a password.';

/** Compares in the same time whatever is given: also a token of the wrong length. */
export class Gatekeeper {
  private readonly bearer: Buffer | undefined;
  private readonly basic: Buffer | undefined;

  constructor({ token, basic }: Credentials) {
    this.bearer = token ? digest(token) : undefined;
    this.basic = basic ? digest(basic) : undefined;
  }

  get isOpen(): boolean {
    return !this.bearer && !this.basic;
  }

  /** @throws HttpError 401 */
  check({ headers }: Pick<IncomingMessage, 'headers'>): void {
    if (this.isOpen) return;
    const [scheme = '', given = ''] = splitOnce(headers.authorization ?? '');
    const isBearer = matches(scheme.toLowerCase() === 'bearer' ? given : '', this.bearer);
    const isUser = matches(scheme.toLowerCase() === 'basic' ? decoded(given) : '', this.basic);
    if (isBearer || isUser) return;
    const offers = [...(this.bearer ? ['Bearer'] : []), ...(this.basic ? ['Basic realm="gemini"'] : [])];
    throw new HttpError(401, NEEDED, { 'www-authenticate': offers.join(', ') });
  }
}

function matches(given: string, expected: Buffer | undefined): boolean {
  const isSame = timingSafeEqual(digest(given), expected ?? digest(''));
  return isSame && expected !== undefined && given !== '';
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

function splitOnce(text: string): string[] {
  const at = text.indexOf(' ');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1).trim()];
}
