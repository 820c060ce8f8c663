/** `POST /`: JSON-RPC of both protocol versions, and the methods of the `development-tool` extension. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { JsonRpcTransportHandler } from '@a2a-js/sdk/server';
import { isObject } from '@gemini-cli/core';
import { isTooDeep, readBody, requireJson, TOO_DEEP } from '../http/body.js';
import { type ErrorWriter, type Exchange, type Route, sendJson } from '../http/exchange.js';
import { HttpError } from '../http/http-error.js';
import { type Call, contextOf } from './call.js';
import { INTERNAL, toProtocolError } from './errors.js';
import { confirmExtensions } from './extension-header.js';
import type { ExtensionMethods } from './extension-methods.js';
import type { TaskRequestHandler } from './request-handler.js';
import type { Streams } from './streams.js';
import { type ProtocolVersion, versionOf } from './version.js';

export interface JsonRpcParts {
  handler: TaskRequestHandler;
  streams: Streams;
  extension: ExtensionMethods;
  bodyBytes: number;
}

type RpcId = string | number | null;

interface RpcRequest {
  jsonrpc: '2.0';
  id: RpcId;
  method: string;
  params: unknown;
}

/** JSON-RPC has no code for a full server. */
const SERVER_ERROR = -32000;

const SENDING = ['message/send', 'message/stream', 'SendMessage', 'SendStreamingMessage'];

/** The library takes the shape of a message for granted. */
function requireShape(method: unknown, given: object): void {
  if (!SENDING.includes(String(method))) return;
  const params: unknown = 'params' in given ? given.params : undefined;
  const message = isObject(params) ? params['message'] : undefined;
  if (!isObject(message)) throw new RpcError(INVALID_PARAMS, 'params.message is missing.');
  const { parts } = message;
  if (!Array.isArray(parts) || !parts.every(isObject))
    throw new RpcError(INVALID_PARAMS, 'params.message.parts is not a list of parts.');
  if (!parts.every(({ kind, file }) => kind !== 'file' || isObject(file)))
    throw new RpcError(INVALID_PARAMS, 'A file part has no file.');
  // Servers of 0.3 wait where a client does not say; the library would not.
  const configuration = isObject(params) ? params['configuration'] : undefined;
  if (method === 'message/send' && isObject(configuration)) configuration['blocking'] ??= true;
}

export class JsonRpcRoute {
  private readonly current: JsonRpcTransportHandler;
  private readonly legacy: LegacyJsonRpcTransportHandler;
  /** Of requests that were understood so far, for an answer that refuses them. */
  private readonly ids = new WeakMap<IncomingMessage, RpcId>();

  constructor(private readonly parts: JsonRpcParts) {
    this.current = new JsonRpcTransportHandler(parts.handler);
    this.legacy = new LegacyJsonRpcTransportHandler(parts.handler);
  }

  readonly route: Route = {
    method: 'POST',
    pattern: /^\/$/,
    handle: (exchange) => this.answer(exchange),
    writeError: (response, error, exchange) => this.writeError(response, error, exchange),
  };

  private async answer({ request, response, signal }: Exchange): Promise<void> {
    requireJson(request);
    confirmExtensions(request, response);
    const body = await readBody(request, this.parts.bodyBytes);
    const given = parsed(body.toString('utf8'));
    this.ids.set(request, idOf(given));
    const lastEventId = request.headers['last-event-id'];
    const version = this.versionFor(request.headers, given);
    const call: Call = {
      version,
      signal,
      ...(typeof lastEventId === 'string' && lastEventId !== '' && { lastEventId }),
    };
    const { method } = given as { method?: unknown };
    requireShape(method, given);
    const { extension, streams } = this.parts;
    if (typeof method === 'string' && extension.has(method)) {
      const { id, params } = requestOf(given);
      return extension.answer(method, params, { id, response, call, streams });
    }
    const answer = await this.transport(version).handle(given as Record<string, unknown>, contextOf(call));
    if (!(Symbol.asyncIterator in answer)) return this.send(response, withKnownError(answer), call);
    const id = idOf(given);
    try {
      return await streams.write(response, call, answer[Symbol.asyncIterator](), {
        failed: (error) => this.failure(id, error, version),
      });
    } catch (error) {
      if (error instanceof HttpError) call.refusal ??= error;
      return this.send(response, this.failure(id, error, version), call);
    }
  }

  /** Methods of 1.0 have names of their own, so a client that forgot the header is understood. */
  private versionFor(headers: Exchange['request']['headers'], given: unknown): ProtocolVersion {
    const method = typeof given === 'object' && given !== null && 'method' in given ? given.method : '';
    const isNew = typeof method === 'string' && /^[A-Z][A-Za-z]+$/.test(method);
    return headers['a2a-version'] === undefined && isNew ? '1.0' : versionOf({ headers });
  }

  private transport(version: ProtocolVersion) {
    return version === '1.0' ? this.current : this.legacy;
  }

  private send(response: ServerResponse, answer: object, { refusal }: Call): void {
    if (response.destroyed) return;
    if (!refusal) {
      sendJson(response, 200, answer);
      return;
    }
    const failed = { ...answer, error: { code: SERVER_ERROR, message: refusal.message } };
    sendJson(response, refusal.status, failed, refusal.headers);
  }

  private failure(id: RpcId, error: unknown, version: ProtocolVersion): object {
    const map =
      version === '1.0'
        ? JsonRpcTransportHandler.mapToJSONRPCError
        : LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError;
    return { jsonrpc: '2.0', id, error: map(error) };
  }

  /** Refusals before a method is called. */
  private readonly writeError: ErrorWriter = (response, error, { request, signal }) => {
    const id = this.ids.get(request) ?? null;
    if (error instanceof RpcError)
      return sendJson(response, 200, rpcFailure(id, error.rpcCode, error.message));
    if (error instanceof HttpError)
      return sendJson(response, error.status, rpcFailure(id, codeOf(error.status), error.message));
    const call: Call = { version: '1.0', signal };
    const known = toProtocolError(error, call);
    const isNew = request.headers['a2a-version'] !== undefined;
    return sendJson(response, 200, this.failure(id, known, isNew ? '1.0' : '0.3'));
  };
}

/** A request that is not JSON-RPC. */
class RpcError extends HttpError {
  constructor(
    readonly rpcCode: number,
    message: string,
  ) {
    super(200, message);
  }
}

/** What our handler did not throw itself is the library stumbling over parameters of another shape. */
function withKnownError(answer: object): object {
  const error: unknown = 'error' in answer ? answer.error : undefined;
  if (!isObject(error) || error['code'] !== INTERNAL_ERROR || error['message'] === INTERNAL) return answer;
  return {
    ...answer,
    error: { code: INVALID_PARAMS, message: 'The parameters do not have the right types.' },
  };
}

const INTERNAL_ERROR = -32603;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

function parsed(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RpcError(PARSE_ERROR, 'The body is not valid JSON.');
  }
  if (isTooDeep(value)) throw new RpcError(INVALID_REQUEST, TOO_DEEP);
  if (Array.isArray(value))
    throw new RpcError(INVALID_REQUEST, 'Send one request at a time: batches are not supported.');
  if (typeof value !== 'object' || value === null)
    throw new RpcError(INVALID_REQUEST, 'The body is not a JSON-RPC request.');
  return value;
}

function requestOf(given: unknown): RpcRequest {
  const { jsonrpc, method, params } = given as Partial<RpcRequest>;
  if (jsonrpc !== '2.0' || typeof method !== 'string')
    throw new RpcError(INVALID_REQUEST, 'The body is not a JSON-RPC 2.0 request.');
  return { jsonrpc, id: idOf(given), method, params };
}

function idOf(given: unknown): RpcId {
  const id: unknown = typeof given === 'object' && given !== null && 'id' in given ? given.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function codeOf(status: number): number {
  return status === 400 || status === 413 || status === 415 ? INVALID_REQUEST : SERVER_ERROR;
}

function rpcFailure(id: RpcId, code: number, message: string) {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
