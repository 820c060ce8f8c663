/** An npm registry on the loopback address that serves the packages of the workspace's `node_modules`. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Registry {
  url: string;
  close(): void;
}

/** @param modules the `node_modules` to serve; packages that are not there answer 404 */
export async function startRegistry(modules: string): Promise<Registry> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    answer(path).then(
      (body) => response.end(body),
      () => response.writeHead(404).end('{}'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, close: () => server.close() };

  async function answer(path: string): Promise<string | Buffer> {
    if (path.endsWith('.tgz')) return pack(path.slice(0, -'.tgz'.length));
    const manifest = JSON.parse(readFileSync(join(modules, path, 'package.json'), 'utf8'));
    const integrity = `sha512-${createHash('sha512')
      .update(await pack(path))
      .digest('base64')}`;
    const dist = { tarball: `${url}${path}.tgz`, integrity };
    return JSON.stringify({
      name: path,
      'dist-tags': { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, dist } },
    });
  }

  /** The same bytes each time: npm compares them with the checksum. */
  async function pack(name: string): Promise<Buffer> {
    if (!existsSync(join(modules, name))) throw new Error(`${name} is not installed.`);
    const tar = [
      '-cz',
      '--mtime=@0',
      '--sort=name',
      '--transform=s,^\\.,package,',
      '-C',
      join(modules, name),
    ];
    const options = { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 } as const;
    return (await run('tar', [...tar, '.'], options)).stdout;
  }
}
