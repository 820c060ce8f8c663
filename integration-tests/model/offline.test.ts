import { describe, expect, it } from 'vitest';
import { type TestRig, testRig } from '../test-utils.js';

const PROJECT = {
  'package.json': JSON.stringify({
    name: 'moon-lander',
    description: 'Lands things on the moon.',
    scripts: { test: 'echo all-tests-fine' },
  }),
  'README.md': '# Moon lander\n\nA simulator for landing craft.\n',
  'src/engine.ts': 'export function igniteEngine(power: number) {\n  return power * 2;\n}\n',
  'notes.txt': 'the colour is blue\n',
};

async function project(): Promise<TestRig> {
  // A key and a server are set on purpose: nothing may be sent to them.
  return testRig({ files: PROJECT });
}

async function ask(rig: TestRig, prompt: string, ...more: string[]) {
  const run = await rig.cli('--model', 'offline', '-p', prompt, '-o', 'json', ...more);
  expect(run.exitCode, run.stderr).toBe(0);
  expect(rig.model.requests).toHaveLength(0);
  return { answer: run.json().response ?? '', tools: Object.keys(run.json().stats?.tools.byName ?? {}), run };
}

describe('The offline guide', () => {
  it('needs neither key nor network', async () => {
    const rig = await testRig({
      files: PROJECT,
      env: { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined },
    });
    const run = await rig.cli('--model', 'offline', '-p', 'what does this project do?');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toContain('A simulator for landing craft.');
  });

  it('says what it is', async () => {
    const { answer } = await ask(await project(), 'write me a poem about spring');
    expect(answer).toMatch(/rule[\s\S]*(no|not a) language model/i);
    expect(answer).toContain('GEMINI_API_KEY');
  });

  it('describes a project from its files, with real tools', async () => {
    const { answer, tools } = await ask(await project(), 'what does this project do?');
    expect(answer).toContain('moon-lander');
    expect(tools.length).toBeGreaterThan(0);
  });

  it('finds a definition', async () => {
    const { answer, tools } = await ask(await project(), 'where is igniteEngine defined?');
    expect(answer).toContain('src/engine.ts');
    expect(tools).toContain('grep_search');
  });

  it('shows a file', async () => {
    const { answer } = await ask(await project(), 'show notes.txt');
    expect(answer).toContain('the colour is blue');
  });

  it('lists a folder', async () => {
    const { answer } = await ask(await project(), 'list the files in src');
    expect(answer).toContain('engine.ts');
  });

  it('runs a command where that is allowed', async () => {
    const { answer } = await ask(await project(), 'run `echo from-the-shell`', '--approval-mode', 'yolo');
    expect(answer).toContain('from-the-shell');
  });

  it('does not run one where it is not, and says how to allow it', async () => {
    const { answer } = await ask(await project(), 'run `echo from-the-shell > made.txt`');
    expect(answer).toMatch(/approval|yolo/i);
  });

  it('runs the tests of the project', async () => {
    const { answer } = await ask(await project(), 'run the tests', '--approval-mode', 'yolo');
    expect(answer).toContain('all-tests-fine');
  });

  it('creates a file', async () => {
    const rig = await project();
    await ask(
      rig,
      'create a file called hello.txt with the text "hello moon"',
      '--approval-mode',
      'auto_edit',
    );
    expect(rig.read('hello.txt').trim()).toBe('hello moon');
  });

  it('replaces text in a file', async () => {
    const rig = await project();
    await ask(rig, 'replace "blue" with "green" in notes.txt', '--approval-mode', 'auto_edit');
    expect(rig.read('notes.txt')).toBe('the colour is green\n');
  });

  it('does several steps of one request', async () => {
    const rig = await project();
    const { answer } = await ask(
      rig,
      'replace "blue" with "red" in notes.txt, then show notes.txt',
      '--approval-mode',
      'auto_edit',
    );
    expect(rig.read('notes.txt')).toBe('the colour is red\n');
    expect(answer).toContain('the colour is red');
  });
});
