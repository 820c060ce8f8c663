import { describe, expect, it } from 'vitest';
import { callTool, chunks, silence, testRig, text, thought, toolResponses, userText } from '../test-utils.js';

const SENTENCE = 'I will now look at the file again to make sure that nothing was missed. ';
const same = () => [callTool('read_file', { file_path: 'a.txt' })];
const WARNING = /Loop detected: the tool "read_file" was called 5 times/;

describe('a model that repeats itself', () => {
  it('with the same call is warned once, then the run ends with a warning and exit code 0', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    rig.model.otherwise(same);
    const run = await rig.cli('-p', 'x', '-o', 'stream-json');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(rig.model.requests).toHaveLength(10);
    expect(userText(rig, 5)).toContain('You are repeating yourself: the tool "read_file" was called 5 times');
    const events = run.events();
    const results = events.filter(({ type }) => type === 'tool_result').map(({ status }) => status);
    const five = ['success', 'success', 'success', 'success', 'error'];
    expect(results).toEqual([...five, ...five]);
    expect(events.filter(({ type }) => type === 'error')).toEqual([
      expect.objectContaining({ severity: 'warning', message: expect.stringMatching(WARNING) }),
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'result', status: 'success' });
  });

  it.each(['text', 'json'])('is reported in %s', async (format) => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    rig.model.otherwise(same);
    const run = await rig.cli('-p', 'x', '-o', format);
    expect(run.exitCode).toBe(0);
    if (format === 'json') expect(run.json().warnings).toEqual([expect.stringMatching(WARNING)]);
    else expect(run.stderr).toMatch(WARNING);
  });

  it('with two alternating calls: the hint helps, and nothing is reported', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A', 'b.txt': 'B' } });
    const pair = Array.from({ length: 10 }, (_, i) => [
      callTool('read_file', { file_path: i % 2 ? 'b.txt' : 'a.txt' }),
    ]);
    rig.model.replies(...pair, [text('I stop.')]);
    const run = await rig.cli('-p', 'x', '-o', 'json');
    expect(run.exitCode).toBe(0);
    expect(run.json()).toMatchObject({ response: 'I stop.' });
    expect(run.json().warnings).toBeUndefined();
    expect(userText(rig, 10)).toContain('the same 2 calls (read_file, read_file) were made 5 times');
  });

  it('in its text: the stream is cut at once, the hint follows, the text so far stays', async () => {
    const rig = await testRig();
    const chanting = [chunks(Array.from({ length: 30 }, () => SENTENCE)), silence()];
    rig.model.replies(chanting, [text('Better now.')]);
    const run = await rig.cli('-p', 'x');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toMatch(/^(I will now look [^\n]* missed\. ){10,30}\nBetter now\.\n$/);
    expect(run.stderr).toBe('');
    expect(userText(rig, 1)).toContain('the same text was written 10 times or more');
    expect(rig.model.requests[1]?.body.contents.at(-2)).toMatchObject({ role: 'model' });
  });

  it('in its text without end: two requests, a warning, exit code 0', async () => {
    const rig = await testRig();
    rig.model.otherwise(() => [chunks(Array.from({ length: 30 }, () => SENTENCE)), silence()]);
    const run = await rig.cli('-p', 'x', '-o', 'json');
    expect(run.exitCode).toBe(0);
    expect(rig.model.requests).toHaveLength(2);
    expect(run.json().warnings).toEqual([expect.stringContaining('the same text was written')]);
    expect(run.json().response).toContain(SENTENCE.trim());
  });

  it('in its thoughts without end: two requests, a warning, exit code 0', async () => {
    const rig = await testRig();
    rig.model.otherwise(() => [...Array.from({ length: 9 }, () => thought('**Hm** what now?')), silence()]);
    const run = await rig.cli('-p', 'the question', '-o', 'json');
    expect(run.exitCode).toBe(0);
    expect(run.json().warnings).toEqual([expect.stringContaining('the same thought came')]);
    expect(JSON.stringify(rig.model.requests[1]?.body.contents)).toContain('the question');
  });
});

describe('Ordinary work', () => {
  it('with thirty reads in a row is not a loop', async () => {
    const rig = await testRig({ files: { 'a.txt': 'line\n'.repeat(100) } });
    const reads = Array.from({ length: 30 }, (_, i) => [
      text('Reading on. '),
      callTool('read_file', { file_path: 'a.txt', start_line: i + 1, end_line: i + 2 }),
    ]);
    rig.model.replies(...reads, [text('done')]);
    const run = await rig.cli('-p', 'x', '-o', 'json');
    expect(run.exitCode).toBe(0);
    expect(run.json()).toMatchObject({ response: 'done' });
    expect(run.json().warnings).toBeUndefined();
    expect(rig.model.requests).toHaveLength(31);
    expect(toolResponses(rig)[0]?.response.error).toBeUndefined();
  });

  it('with a long code block of equal lines is not a loop', async () => {
    const rig = await testRig();
    const code = `\`\`\`\n${`${SENTENCE}\n`.repeat(100)}\`\`\`\n`;
    rig.model.replies([chunks(code.match(/[\s\S]{1,20}/g) ?? [])]);
    expect((await rig.cli('-p', 'x')).stdout).toBe(code);
  });

  it('without loop detection is stopped only by model.maxSessionTurns', async () => {
    const rig = await testRig({
      files: { 'a.txt': 'A' },
      settings: { model: { disableLoopDetection: true, maxSessionTurns: 120 } },
    });
    rig.model.otherwise(same);
    const run = await rig.cli('-p', 'x');
    expect(run.exitCode).toBe(53);
    expect(rig.model.requests).toHaveLength(120);
  });
});
