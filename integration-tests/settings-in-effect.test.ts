/** Settings of the network and of sessions, seen from outside: what the built program sends, prints and resumes. */
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { callTool, PROXY_PASSWORD, startProxyServer, testRig, text } from './test-utils.js';
import { isReady, LONG } from './ui/ui.js';

it('reaches another provider through general.proxy, and never prints its password', async () => {
  const proxy = await startProxyServer();
  onTestFinished(() => proxy.close());
  const rig = await testRig({
    settings: { general: { proxy: proxy.url, maxAttempts: 1 }, model: { name: 'openai/gpt-4o' } },
    env: { OPENAI_API_KEY: 'a-key', HTTPS_PROXY: '', HTTP_PROXY: '', https_proxy: '', http_proxy: '' },
  });
  const { exitCode, stdout, stderr } = await rig.cli('--debug', '-p', 'x');
  expect(exitCode).toBe(1);
  expect(proxy.asked).toEqual(['CONNECT api.openai.com:443']);
  expect(proxy.credentials).toEqual([`mona:${PROXY_PASSWORD}`]);
  const doctor = await rig.cli('doctor');
  expect(doctor.stdout).toContain('general.proxy is http://127.0.0.1');
  expect([stdout, stderr, doctor.stdout, doctor.stderr].join()).not.toContain(PROXY_PASSWORD);
});

it('keeps general.proxy from the commands of the model', async () => {
  const rig = await testRig({ settings: { general: { proxy: 'http://mona:pw@proxy.example:1' } } });
  rig.model.replies([callTool('run_shell_command', { command: 'env' })], [text('done')]);
  const { exitCode } = await rig.cli('-y', '-p', 'x');
  expect(exitCode).toBe(0);
  expect(JSON.stringify(rig.model.lastRequest().body)).toContain('GEMINI_CLI=1');
  expect(JSON.stringify(rig.model.lastRequest().body)).not.toContain('proxy.example');
});

it('resumes the session of general.sessionId', async () => {
  const id = '11111111-aaaa-4bbb-8ccc-000000000042';
  const rig = await testRig({ settings: { general: { sessionId: id } } });
  rig.model.replies([text('one')], [text('two')]);
  expect((await rig.cli('--session-id', id, '-p', 'remember the number 7')).exitCode).toBe(0);
  expect(await rig.cli('-p', 'which number?')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.stringify(rig.model.lastRequest().body)).toContain('remember the number 7');
});

it('writes keys to the debug log when general.debugKeystrokeLogging asks for it', async () => {
  const rig = await testRig({ settings: { general: { debugKeystrokeLogging: true } } });
  const file = `${rig.home}/debug.log`;
  const screen = await rig.screen([], { env: { GEMINI_DEBUG_LOG_FILE: file } });
  await screen.waitFor(isReady, LONG);
  screen.type('q');
  const isLogged = () => expect(readFileSync(file, 'utf8')).toMatch(/\[DEBUG\] \[keys\] "q"/);
  await vi.waitFor(isLogged, { timeout: LONG.timeoutMs });
});
