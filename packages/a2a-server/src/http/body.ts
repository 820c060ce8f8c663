/** Reads the body of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.js';

/** @throws HttpError 413, before the rest of a larger body is read */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () =>
    new HttpError(413, `The body is larger than ${sizeText(limit)}, the limit of this server.`);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > limit) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** @throws HttpError 415, 413, 400 */
export async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  requireJson(request);
  const text = (await readBody(request, limit)).toString('utf8');
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, 'The body is not valid JSON.');
  }
  if (isTooDeep(value)) throw new HttpError(400, TOO_DEEP);
  return value;
}

const MAX_DEPTH = 100;
export const TOO_DEEP = `The body is nested deeper than ${MAX_DEPTH} levels.`;

/** What copies or writes such a value later would overflow its stack, and a task that has it could never be read again. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

/** Also keeps out forms of web pages, which cannot send these types without asking first. */
export function requireJson({ headers }: IncomingMessage): void {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (hasBody && type !== 'application/json' && type !== 'application/a2a+json')
    throw new HttpError(415, 'The body must be application/json.');
}

function sizeText(bytes: number): string {
  const mb = bytes / (1024 * 1024);
  return mb >= 1 ? `${Number(mb.toFixed(1))} MB` : `${bytes} bytes`;
}
