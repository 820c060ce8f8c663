/** What `gemini doctor` says about sign-in, model, environment and sandbox. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { JSON_OFFLINE, reportOf } from './doctor-report.js';
import { testRig } from './test-utils.js';

describe('gemini doctor', () => {
  it('asks the model once, with a cheap request', async () => {
    const rig = await testRig({ env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } });
    const run = await rig.cli('doctor', '--json');
    expect(run.exitCode).toBe(0);
    expect(rig.model.requests.map(({ method }) => method)).toEqual(['countTokens']);
    expect(reportOf(run).of('model').details[0]).toMatch(/answered in \d+ ms$/);
    expect(reportOf(run).of('sign-in').details[0]).toBe('gemini-api-key, from GEMINI_API_KEY');
  });

  it('sends nothing with --offline, and nothing without credentials', async () => {
    const rig = await testRig();
    const offline = reportOf(await rig.cli(...JSON_OFFLINE));
    expect(offline.of('model').status).toBe('skipped');
    const none = await rig.cli('doctor', '--json', {
      env: {
        GEMINI_API_KEY: undefined,
        GOOGLE_GEMINI_BASE_URL: undefined,
        GEMINI_FORCE_FILE_STORAGE: 'true',
      },
    });
    expect(none.exitCode).toBe(1);
    expect(reportOf(none).of('sign-in')).toMatchObject({
      status: 'error',
      remedy: expect.stringContaining('GEMINI_API_KEY'),
    });
    expect(reportOf(none).of('model').status).toBe('skipped');
    expect(rig.model.requests).toEqual([]);
  });

  it('needs neither for the built-in guide', async () => {
    const rig = await testRig({ env: { GEMINI_MODEL: 'offline', GEMINI_API_KEY: undefined } });
    const run = await rig.cli('doctor', '--json');
    expect(run.exitCode).toBe(0);
    expect(reportOf(run).of('sign-in').status).toBe('skipped');
    expect(reportOf(run).of('model').status).toBe('ok');
  });

  it.each([
    [403, 'API key not valid', 'Check the key'],
    [404, 'model not found', 'name of the model'],
    [503, 'overloaded', 'try again later'],
  ])('explains an HTTP status %i', async (status, message, remedy) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code: status, message } }));
    });
    const base = await listen(server);
    const rig = await testRig({ env: { GOOGLE_GEMINI_BASE_URL: base } });
    const run = await rig.cli('doctor', '--json');
    expect(run.exitCode).toBe(1);
    const check = reportOf(run).of('model');
    expect(check.details[0]).toContain(message);
    expect(check.remedy).toContain(remedy);
  });

  it('gives up on a silent server after five seconds', async () => {
    const base = await listen(createServer(() => {}));
    const rig = await testRig({ env: { GOOGLE_GEMINI_BASE_URL: base } });
    const run = await rig.cli('doctor', '--json');
    expect(reportOf(run).of('model').details[0]).toContain('no answer within 5 s');
  });

  it('never shows a secret', async () => {
    const secret = 'very-secret-value-1';
    const rig = await testRig({
      settings: { ui: { hideTips: `\${MY_TOKEN}` }, [`key-${secret}`]: 1 },
      env: {
        MY_TOKEN: secret,
        GEMINI_API_KEY: 'another-secret-2',
        HTTPS_PROXY: 'http://user:pass-word-3@127.0.0.1:1',
        NODE_OPTIONS: `--title=${secret}`,
      },
    });
    const runs = [await rig.cli('doctor', '--offline'), await rig.cli(...JSON_OFFLINE)];
    for (const { stdout, stderr } of runs)
      expect(stdout + stderr).not.toMatch(/very-secret|another-secret|pass-word/);
    expect(runs[0]?.stdout).toContain('HTTPS_PROXY is http://127.0.0.1:1');
  });
});

describe('gemini doctor on environment and sandbox', () => {
  it.each([
    ['GOOGLE_GEMINI_BASE_URL', 'http://models.example.com', 'not encrypted', 1],
    ['GOOGLE_GEMINI_BASE_URL', 'no address', 'not a valid address', 1],
    ['HTTPS_PROXY', 'socks5://127.0.0.1:1', 'not an http or https address', 0],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/none/key.json', 'does not exist', 0],
    ['NODE_EXTRA_CA_CERTS', '/dev/null', '70 ms longer', 0],
  ])('reports %s=%s', async (name, value, text, exitCode) => {
    const rig = await testRig({ env: { [name]: value } });
    const run = await rig.cli(...JSON_OFFLINE);
    expect(reportOf(run).of('environment').details.join('\n')).toContain(text);
    expect(run.exitCode).toBe(exitCode);
  });

  it('reports a requested sandbox that cannot be started', async () => {
    const rig = await testRig({ env: { GEMINI_SANDBOX: 'no-such-sandbox' } });
    const run = await rig.cli(...JSON_OFFLINE);
    expect(run.exitCode).toBe(1);
    expect(reportOf(run).of('sandbox')).toMatchObject({
      status: 'error',
      remedy: expect.stringContaining('GEMINI_SANDBOX'),
    });
  });

  it('removes terminal control from file names and values', async () => {
    const rig = await testRig({ settings: { 'evil\u001b]0;title\u0007\u202e': 1 } });
    rig.write('.gemini/commands/a\u001b[31m\n✓ Fake.toml', 'oops');
    const { stdout } = await rig.cli('doctor', '--offline');
    expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
    expect(stdout).not.toMatch(/^✓ Fake/m);
  });
});

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
