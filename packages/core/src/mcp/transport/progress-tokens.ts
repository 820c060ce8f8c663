/**
 * Progress tokens that cannot be guessed. The protocol library uses the number of the request; on the wire it is replaced
 * by a UUID, so that only the server that got the call can report its progress.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isObject } from '../../base/objects.js';
import { randomUuid } from '../../platform/random.js';

/** Call it when the transport is connected to a client. */
export function useUuidTokens(transport: Pick<Transport, 'send' | 'onmessage'>): void {
  const tokens = new ProgressTokens();
  const send = transport.send.bind(transport);
  const deliver = transport.onmessage;
  transport.send = (message, options) => send(tokens.outgoing(message), options);
  transport.onmessage = (message, extra) => {
    const known = tokens.incoming(message);
    if (known) deliver?.(known, extra);
  };
}

class ProgressTokens {
  private readonly ids = new Map<string, string | number>();
  private readonly tokens = new Map<string | number, string>();

  outgoing<M extends JSONRPCMessage | JSONRPCMessage[]>(message: M): M {
    if (Array.isArray(message) || !('method' in message)) return message;
    const params: Record<string, unknown> = isObject(message.params) ? message.params : {};
    if (!('id' in message)) {
      const { requestId } = params;
      if (message.method === 'notifications/cancelled' && isId(requestId)) this.forget(requestId);
      return message;
    }
    const meta = params['_meta'];
    if (!isObject(meta) || meta['progressToken'] === undefined) return message;
    const progressToken = randomUuid();
    this.ids.set(progressToken, message.id);
    this.tokens.set(message.id, progressToken);
    return { ...message, params: { ...params, _meta: { ...meta, progressToken } } };
  }

  /** Undefined: progress of a request that is over, or that never was. */
  incoming<M extends JSONRPCMessage>(message: M): M | undefined {
    if (!('method' in message)) {
      if (isId(message.id)) this.forget(message.id);
      return message;
    }
    if (message.method !== 'notifications/progress') return message;
    const params: Record<string, unknown> = isObject(message.params) ? message.params : {};
    const progressToken = this.ids.get(String(params['progressToken']));
    return progressToken === undefined ? undefined : { ...message, params: { ...params, progressToken } };
  }

  private forget(id: string | number): void {
    const token = this.tokens.get(id);
    this.tokens.delete(id);
    if (token !== undefined) this.ids.delete(token);
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
