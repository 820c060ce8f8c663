import { describe, expect, it } from 'vitest';
import { testRig, text, userText } from '../test-utils.js';

describe('prompt assembly', () => {
  it('puts stdin in front of -p with a blank line between', async () => {
    const rig = await testRig();
    rig.model.replies([text('ok')]);
    await rig.cli('-p', 'summarise', { stdin: 'some text' });
    expect(userText(rig)).toContain('some text\n\nsummarise');
  });

  it('takes stdin alone', async () => {
    const rig = await testRig();
    rig.model.replies([text('ok')]);
    const run = await rig.cli({ stdin: 'only stdin, é and 😀' });
    expect(run.exitCode).toBe(0);
    expect(userText(rig)).toContain('only stdin, é and 😀');
  });

  it('joins positional words by one blank', async () => {
    const rig = await testRig();
    rig.model.replies([text('ok')]);
    await rig.cli('what', 'is  this', 'about', '-o', 'stream-json');
    expect(userText(rig)).toContain('what is  this about');
  });

  it('does not wait forever for a stdin that stays open and empty', async () => {
    const rig = await testRig();
    rig.model.replies([text('ok')]);
    const run = await rig.cli('-p', 'x', { stdin: 'open' });
    expect(run.stdout).toBe('ok\n');
  });

  it('waits for the end of a stdin that has started', async () => {
    const rig = await testRig();
    rig.model.replies([text('ok')]);
    const run = rig.spawn('-p', 'x', { stdin: 'open' });
    run.write('first ');
    setTimeout(() => {
      run.write('second');
      run.closeStdin();
    }, 700);
    await run.done;
    expect(userText(rig)).toContain('first second\n\nx');
  });

  it('cuts stdin at 8 MiB on a character boundary and says so', async () => {
    const modelDefinitions = { 'gemini-3.8-flash': { contextWindow: 100_000_000 } };
    const rig = await testRig({ settings: { modelConfigs: { modelDefinitions } } });
    rig.model.replies([text('ok')]);
    const limit = 8 * 1024 * 1024;
    const run = await rig.cli('-p', 'end', '-m', 'flash', { stdin: `a${'é'.repeat(limit / 2 + 10)}` });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(/\[WARNING\].*8/);
    const sent = userText(rig);
    expect(sent).toContain(`a${'é'.repeat(limit / 2 - 1)}\n\nend`);
    expect(sent).not.toContain('\ufffd');
  });

  it('uses the last --model, before the variable and the setting', async () => {
    const rig = await testRig({
      settings: { model: { name: 'from-setting' } },
      env: { GEMINI_MODEL: 'from-env' },
    });
    rig.model.repeat(3, [text('ok')]);
    await rig.cli('-p', 'x', '-m', 'first', '--model=second');
    await rig.cli('-p', 'x');
    await rig.cli('-p', 'x', { env: { GEMINI_MODEL: undefined } });
    expect(rig.model.requests.map(({ model }) => model)).toEqual(['second', 'from-env', 'from-setting']);
  });

  it('sends text beginning with // or /* as it is', async () => {
    const rig = await testRig();
    rig.model.repeat(2, [text('ok')]);
    await rig.cli('-p', '// a comment');
    await rig.cli('-p', '/* a comment */');
    expect(userText(rig, 0)).toContain('// a comment');
    expect(userText(rig, 1)).toContain('/* a comment */');
  });
});
