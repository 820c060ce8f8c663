/** Requests that the program itself sends over a connection: their answers are for it alone. */
import { RequestError } from '@agentclientprotocol/sdk';
import { isObject } from '@gemini-cli/core';

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class OwnRequests {
  private readonly waiting = new Map<unknown, Waiting>();
  private count = 0;
  private isClosed = false;

  /** @param send puts the message on the wire */
  request<T>(method: string, params: unknown, send: (message: object) => void): Promise<T> {
    if (this.isClosed) return Promise.reject(closed());
    const id = `own-${++this.count}`;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: (result) => resolve(result as T), reject });
      send({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
    });
  }

  /** True: the message was an answer to one of them. */
  takes(message: unknown): boolean {
    if (!isObject(message) || 'method' in message) return false;
    const found = this.waiting.get(message['id']);
    if (!found) return false;
    this.waiting.delete(message['id']);
    const { error, result } = message;
    if (!isObject(error)) found.resolve(result);
    else found.reject(new RequestError(Number(error['code']), String(error['message']), error['data']));
    return true;
  }

  close(): void {
    this.isClosed = true;
    for (const { reject } of this.waiting.values()) reject(closed());
    this.waiting.clear();
  }
}

function closed(): RequestError {
  return new RequestError(-32603, 'The connection is closed.');
}
