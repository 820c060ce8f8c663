import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { environmentOf } from '../../platform/environment.js';
import { readGallery } from './read-gallery.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gallery-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const entry = (name: string, more: object = {}) => ({
  id: name,
  rank: 1,
  url: `https://github.com/acme/${name}`,
  fullName: `acme/${name}`,
  extensionName: name,
  extensionVersion: '1.0.0',
  stars: 3,
  hasMCP: true,
  ...more,
});
const read = (address: string, more: object = {}) =>
  readGallery({
    address,
    environment: environmentOf({ HOME: dir }, dir),
    signal: new AbortController().signal,
    ...more,
  });

async function serving(answer: Parameters<typeof createServer>[1], run: (url: string) => Promise<void>) {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}/extensions.json`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
const allow = (address: string) => address === '127.0.0.1';

describe('a list in a file', () => {
  it('is read by its path, in the order of ranks, with entries that cannot be installed left out', async () => {
    const list = [
      entry('second', { rank: 2 }),
      entry('first'),
      entry('no-address', { url: 'ext::sh -c id' }),
      entry('option', { url: '--upload-pack=x' }),
      entry('secret', { url: 'https://user:pw@example.com/x' }),
      entry('plain', { url: 'http://example.com/x' }),
      'nonsense',
      null,
      { url: 'https://github.com/acme/x' },
    ];
    writeFileSync(join(dir, 'list.json'), `\ufeff${JSON.stringify({ extensions: list })}`);
    for (const address of ['list.json', join(dir, 'list.json'), '~/list.json', `file://${dir}/list.json`]) {
      const found = await read(address);
      expect(found.map(({ extensionName }) => extensionName)).toEqual(['first', 'second']);
    }
  });

  it('loses control characters and values of wrong types', async () => {
    const hostile = entry('x', {
      extensionDescription: 'a\u001b[2Jb\nc',
      stars: 'many',
      hasMCP: 'yes',
      repoDescription: 7,
    });
    writeFileSync(join(dir, 'list.json'), JSON.stringify([hostile]));
    const [found] = await read('list.json');
    expect(found).toMatchObject({ stars: 0, hasMCP: false, repoDescription: '' });
    expect(found?.extensionDescription).not.toMatch(/[\u001b\n]/);
  });

  it.each([
    ['{', /is not a list of extensions/],
    ['{"a":1}', /is not a list of extensions/],
  ])('that holds %s is refused with its address', async (text, expected) => {
    writeFileSync(join(dir, 'list.json'), text);
    await expect(read('list.json')).rejects.toThrow(expected);
  });

  it('that does not exist is named with the setting', async () => {
    await expect(read('gone.json')).rejects.toThrow(/gone\.json.*experimental\.extensionRegistryURI/s);
  });
});

describe('a list on the web', () => {
  it('is fetched, and an answer without success is named', async () => {
    await serving(
      (_, response) => response.end(JSON.stringify([entry('one')])),
      async (url) => {
        expect(await read(url, { allow })).toMatchObject([{ extensionName: 'one' }]);
      },
    );
    await serving(
      (_, response) => response.writeHead(503).end(),
      async (url) => expect(read(url, { allow })).rejects.toThrow(/503/),
    );
  });

  it('is not fetched from a private address', async () => {
    let asked = 0;
    await serving(
      (_, response) => {
        asked++;
        response.end('[]');
      },
      async (url) => expect(read(url)).rejects.toThrow(/not on the public internet/),
    );
    expect(asked).toBe(0);
  });

  it('of a server that stalls ends with the time limit', async () => {
    await serving(
      () => {},
      async (url) => expect(read(url, { allow, timeoutMs: 50 })).rejects.toThrow(/took longer than/),
    );
  });
});
