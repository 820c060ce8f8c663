/** Answers the first message of an editor, `initialize`, before the engine is loaded: the answer needs nothing of it. */
import { readSync } from 'node:fs';
import {
  AUTH_METHODS,
  agentInfo,
  initializeResponse,
  PROGRAM_SESSIONS,
} from '@gemini-cli/sdk/acp/initialize';
import { writeFully } from '../terminal/write-fd.js';

export interface FirstMessage {
  /** All that was read of stdin. */
  received: Buffer;
  /** The id of `initialize`, when it is answered. */
  answeredId?: string | number;
}

/** Such a message is for the engine. */
const MAX_BYTES = 64 * 1024;

/** Waits for the first line: until then there is nothing to do. */
export function answerFirstMessage(version: string): FirstMessage {
  const received = readLine();
  const id = idOfInitialize(received);
  if (id === undefined) return { received };
  const result = initializeResponse(agentInfo(version), AUTH_METHODS, PROGRAM_SESSIONS);
  writeFully(1, `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  return { received, answeredId: id };
}

function readLine(): Buffer {
  const chunk = Buffer.alloc(MAX_BYTES);
  let received = Buffer.alloc(0);
  while (!received.includes('\n') && received.length < MAX_BYTES) {
    const size = read(chunk);
    if (size === 0) break;
    received = Buffer.concat([received, chunk.subarray(0, size)]);
  }
  return received;
}

/** 0: the end, or a stdin that only a stream can read; the engine does then. */
function read(chunk: Buffer): number {
  try {
    return readSync(0, chunk);
  } catch {
    return 0;
  }
}

/** Undefined for anything but an `initialize` that is certainly valid; the engine judges the others. */
function idOfInitialize(received: Buffer): string | number | undefined {
  const end = received.indexOf('\n');
  if (end < 0) return undefined;
  try {
    const { jsonrpc, id, method, params } = JSON.parse(received.toString('utf8', 0, end));
    const isId = typeof id === 'string' || Number.isInteger(id);
    const { protocolVersion, clientCapabilities = {}, clientInfo } = params;
    const isVersion = Number.isInteger(protocolVersion) && protocolVersion >= 0 && protocolVersion < 65536;
    const isClient =
      clientInfo == null || (typeof clientInfo.name === 'string' && typeof clientInfo.version === 'string');
    const isPlain = typeof clientCapabilities === 'object' && clientCapabilities !== null;
    return jsonrpc === '2.0' && method === 'initialize' && isId && isVersion && isClient && isPlain
      ? id
      : undefined;
  } catch {
    return undefined;
  }
}
