/** The browser agent in the built program: a form filled in with the user's permission, and no browser left behind. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { callTool, testRig, text } from '@gemini-cli/test-utils/rig';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { command, startUi } from '../ui/ui.js';

/** A browser starts in it, on a machine that does other things too. */
const PATIENT = { timeoutMs: 60_000 };
const WAITING = { timeout: 60_000 };
const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  agents: { overrides: { browser_agent: { enabled: true } }, browser: { headless: true } },
};
const CONSENT = '.gemini/cli-browser-profile/browser-consent-acknowledged.txt';

let server: Server;
let url: string;
const visits: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.setHeader('content-type', 'text/html');
    response.end(
      request.url?.startsWith('/done')
        ? '<title>Thanks</title><p>Thank you'
        : '<title>Order</title><form action=/done><label>Name <input name=name></label><button>Send</button></form>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://localhost:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A file for `--fake-responses`: one model turn per line. */
function answers(...turns: ({ name: string; args: object } | string)[]): string {
  return turns
    .map((turn) => {
      const part = typeof turn === 'string' ? { text: turn } : { functionCall: turn };
      const chunk = { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] };
      return JSON.stringify({ method: 'generateContentStream', response: [chunk] });
    })
    .join('\n');
}

const invoke = { name: 'invoke_agent', args: { agent_name: 'browser_agent', prompt: 'Order for Ann' } };

describe('The browser agent', () => {
  it('asks for consent, then for the form it fills in, and reports', async () => {
    const fake = answers(
      invoke,
      { name: 'navigate_page', args: { url } },
      { name: 'take_snapshot', args: {} },
      { name: 'fill_form', args: { elements: [{ uid: '1_e4', value: 'Ann' }] } },
      { name: 'click', args: { uid: '1_e5', includeSnapshot: true } },
      { name: 'complete_task', args: { result: { success: true, summary: 'Ordered for Ann.' } } },
      'The order is placed.',
    );
    const rig = await testRig({ settings: SETTINGS, files: { 'fake.jsonl': fake } });
    const model = ['-m', 'gemini-2.5-pro', '--fake-responses', join(rig.workspace, 'fake.jsonl')];
    const screen = await startUi(rig, [...model, '--approval-mode', 'yolo'], { rows: 50 });
    await command(screen, 'order for Ann');
    await screen.waitFor(/Let the browser agent use a browser\?[\s\S]*1\. Allow once/, PATIENT);
    screen.type('1');
    await screen.waitFor(/Fill in a form: textbox "Name" with "Ann"[\s\S]*1\. Allow once/, PATIENT);
    expect(screen.text()).not.toContain('Allow for this session');
    screen.type('1');
    await screen.waitFor('✦ The order is placed.', PATIENT);
    expect(visits).toContain('/done?name=Ann');
    expect(readFileSync(join(rig.home, CONSENT), 'utf8')).toMatch(/^\d{4}-/);
  }, 120_000);

  it('without consent ends with a message in a headless run, and without a browser', async () => {
    const rig = await testRig({ settings: SETTINGS });
    rig.model.replies([callTool(invoke.name, invoke.args)], [text('Sorry.')]);
    const run = await rig.cli('--yolo', '-p', 'go', { timeoutMs: 60_000 });
    expect(run.stdout, run.stderr).toContain('Sorry.');
    expect(JSON.stringify(rig.model.lastRequest().body.contents)).toContain(
      'The browser agent needs your consent before its first use.',
    );
    expect(existsSync(join(rig.home, CONSENT))).toBe(false);
  }, 60_000);

  it('in yolo mode runs scripts unasked, but no form, no command and no page of another domain', async () => {
    const rig = await testRig({ settings: SETTINGS });
    rig.writeHome(CONSENT.replace('.gemini/', ''), 'yes');
    const elsewhere = url.replace('localhost', '127.0.0.1');
    rig.model.replies(
      [callTool(invoke.name, invoke.args)],
      [callTool('navigate_page', { url })],
      [callTool('take_snapshot', {})],
      [callTool('evaluate_script', { function: '() => 6 * 7' })],
      [callTool('fill', { uid: '1_e4', value: 'Ann' })],
      [callTool('run_shell_command', { command: 'touch owned' })],
      [callTool('navigate_page', { url: `${elsewhere}owned` })],
      [text('It ended.')],
    );
    const run = await rig.cli('--yolo', '-m', 'gemini-2.5-pro', '-p', 'go', { timeoutMs: 90_000 });
    expect(run.stdout, run.stderr).toContain('It ended.');
    const inRun = JSON.stringify(rig.model.requests[6]?.body.contents);
    const answers = [...inRun.matchAll(/"functionResponse":\{.*?"response":\{(.*?)\}\}/g)].map(
      ([, it]) => it ?? '',
    );
    expect(answers[2]).toContain('42');
    expect(answers[3]).toMatch(/"error".*(headless|non-interactive|asked)/i);
    expect(answers[4]).toMatch(/"error".*run_shell_command/);
    expect(rig.exists('owned')).toBe(false);
    expect(visits).not.toContain('/owned');
    expect(JSON.stringify(rig.model.lastRequest().body.contents.at(-1))).toMatch(
      /127\.0\.0\.1.*allowedDomains/,
    );
  }, 120_000);

  it('takes its browser along when the program is killed', async () => {
    const fake = answers(
      invoke,
      { name: 'navigate_page', args: { url: `${url}held` } },
      { name: 'wait_for', args: { text: ['never'], timeout: 100_000 } },
    );
    const rig = await testRig({ settings: SETTINGS, files: { 'fake.jsonl': fake } });
    rig.writeHome(CONSENT.replace('.gemini/', ''), 'yes');
    const run = rig.spawn('-m', 'gemini-2.5-pro', '--fake-responses', 'fake.jsonl', '--yolo', '-p', 'go');
    await vi.waitFor(() => expect(visits).toContain('/held'), WAITING);
    expect(browsersOf(rig.home)).not.toEqual([]);
    run.kill('SIGKILL');
    await run.done;
    await vi.waitFor(() => expect(browsersOf(rig.home)).toEqual([]), WAITING);
  }, 120_000);
});

/** Processes that name a profile in this home. */
function browsersOf(home: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return (
          Boolean(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--user-data-dir=${home}`)
        );
      } catch {
        return false;
      }
    });
}
