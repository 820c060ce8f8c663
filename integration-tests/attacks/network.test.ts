/** `web_fetch` does not reach this machine or its networks, however the address is written (row 20). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { mountNamespace } from '../test-utils.js';
import { attack, type CallOptions, callOnce, expectFailed } from './attack.js';

/** A service on this machine that must not be reached. */
async function internalService(): Promise<{ port: number; visits: string[] }> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(`${request.headers.host}${request.url}`);
    response.end('internal secret');
  });
  await new Promise<void>((done) => server.listen(0, '::', done));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, visits };
}

const HOSTS = [
  '127.0.0.1',
  'localhost',
  'LOCALHOST.',
  'sub.localhost',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0x7f.0.0x1',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '①②⑦.⓪.⓪.①',
  '169.254.169.254',
  'metadata.google.internal',
  '[fe80::1]',
  '[fd00::1]',
  '10.0.0.1',
  '192.168.0.1',
  '172.16.0.1',
];
for (const host of HOSTS) {
  attack(20, host, (rig) => expectBlocked(rig, host));
}
attack(20, 'a name in front of an @', (rig) => expectBlocked(rig, 'example.org@127.0.0.1'));

const hasNamespaces = process.platform === 'linux';
/** Names that resolve to this machine. */
for (const address of hasNamespaces ? ['127.0.0.1', '::1', '10.1.2.3'] : []) {
  attack(20, `a public name that resolves to ${address}`, async (rig) => {
    const hosts = rig.write('hosts', `127.0.0.1 localhost\n${address} public.example\n`);
    const script = `mount --bind '${hosts}' /etc/hosts && exec "$@"`;
    await expectBlocked(rig, 'public.example', {
      under: [...mountNamespace(), 'bash', '-c', script, 'bash'],
    });
  });
}

async function expectBlocked(
  rig: Parameters<typeof callOnce>[0],
  host: string,
  options: CallOptions = {},
): Promise<void> {
  const { port, visits } = await internalService();
  const args = { prompt: `Summarize http://${host}:${port}/latest/meta-data/` };
  const outcome = await callOnce(rig, 'web_fetch', args, { mode: 'yolo', ...options });
  expectFailed(outcome, /Blocked|not on the public internet|no user name or password/);
  expect(visits).toEqual([]);
  // The provider is not asked to fetch it either.
  expect(rig.model.requests).toHaveLength(2);
}
