import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RigOptions, remoteAgent, remoteRig } from './remote-agents.test-helper.js';

const never = new AbortController().signal;
/** No such name exists: only the proxy can reach it. */
const AGENT = 'http://agent.invalid';
let proxy: Server;
let address: string;
let seen: string[];

beforeEach(async () => {
  seen = [];
  proxy = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (request.method === 'GET')
      return response.end(JSON.stringify({ url: `${AGENT}/rpc`, protocolVersion: '0.3.0' }));
    const result = { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] };
    return response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterEach(() => {
  proxy.closeAllConnections();
  proxy.close();
});

describe('a remote agent behind a proxy', () => {
  it.each<[string, () => RigOptions]>([
    ['the environment', () => ({ env: { HTTP_PROXY: address } })],
    ['general.proxy', () => ({ proxy: address })],
  ])('is reached through that of %s', async (_where, options) => {
    const { agents } = remoteRig(options());
    const definition = remoteAgent({ agentCardUrl: `${AGENT}/card` });
    expect(await agents.invoke(definition, 'x', { signal: never })).toEqual({ text: 'hi', isError: false });
    expect(seen).toEqual([`GET ${AGENT}/card`, `POST ${AGENT}/rpc`]);
    agents.close();
  });

  it('is not reached over gRPC past the proxy', async () => {
    const { agents } = remoteRig({ proxy: address });
    const card = {
      supportedInterfaces: [{ url: 'agent.invalid:443', protocolBinding: 'GRPC', protocolVersion: '1.0' }],
    };
    const definition = remoteAgent({ agentCardJson: JSON.stringify(card) });
    const { text } = await agents.invoke(definition, 'x', { signal: never });
    expect(text).toContain('gRPC does not go through the proxy');
    agents.close();
  });
});
