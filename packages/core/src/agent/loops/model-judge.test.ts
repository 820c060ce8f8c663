import { describe, expect, it } from 'vitest';
import type { UtilityModel, UtilityRequest } from '../../model/utility/utility-model.js';
import { type Message, textOf } from '../../protocol/messages.js';
import { noTelemetry } from '../../telemetry/record.js';
import { ModelJudge } from './model-judge.js';

const never = new AbortController().signal;
const call = (path: string): Message => ({
  role: 'model',
  origin: 'model',
  parts: [
    { text: `thinking of ${path}`, thought: true },
    { functionCall: { name: 'read_file', args: { path } } },
  ],
});
const result = (output: string): Message => ({
  role: 'user',
  origin: 'tool_response',
  parts: [{ functionResponse: { name: 'read_file', response: { output } } }],
});
const history = Array.from({ length: 30 }, (_, index) => [
  call(`file-${index}`),
  result(`text ${index}`),
]).flat();

/** Answers by alias with these confidences, in turn. */
function judgeWith(answers: Record<string, (number | Error)[]>) {
  const requests: UtilityRequest[] = [];
  const utility: UtilityModel = {
    generateText: () => Promise.reject(new Error('not asked for')),
    generateJson: async (request) => {
      requests.push(request);
      const next = answers[request.alias]?.shift();
      if (next === undefined) throw new Error('no answer');
      if (next instanceof Error) throw next;
      return { unproductive_state_analysis: 'It reads\nthe same file.', unproductive_state_confidence: next };
    },
  };
  const judge = new ModelJudge(utility, () => 'gemini-3.8-flash', noTelemetry);
  judge.startPrompt('fix the build');
  const run = async (from: number, to: number) => {
    const findings: [number, string][] = [];
    for (let turn = from; turn <= to; turn++) {
      const finding = await judge.afterTurn(turn, history, 'p', never);
      if (finding) findings.push([turn, finding.type]);
    }
    return findings;
  };
  return { judge, requests, run };
}

describe('ModelJudge', () => {
  it('asks no model in the first 30 turns, then as often as it is uncertain', async () => {
    const { requests, run } = judgeWith({ 'loop-detection': [0, 0.5, 0.8] });
    await run(1, 30);
    expect(requests).toHaveLength(0);
    await run(31, 45);
    expect(requests).toHaveLength(1);
    await run(46, 55);
    expect(requests).toHaveLength(2);
    await run(56, 62);
    expect(requests).toHaveLength(3);
  });

  it('shows the request and the last 20 items, without thoughts', async () => {
    const { requests, run } = judgeWith({ 'loop-detection': [0] });
    await run(31, 31);
    expect(requests[0]).toMatchObject({
      role: 'utility_loop_detector',
      mainModel: 'gemini-3.8-flash',
      promptId: 'p',
    });
    const text = textOf(requests[0]?.messages[0]?.parts ?? []);
    expect(text).toContain('<request>\nfix the build\n</request>');
    expect(text.match(/\[AGENT CALLS read_file\]/g)).toHaveLength(10);
    expect(text).toContain('file-20');
    expect(text).not.toContain('file-19');
    expect(text).not.toContain('thinking');
  });

  it('shortens long items', async () => {
    const { judge, requests } = judgeWith({ 'loop-detection': [0] });
    await judge.afterTurn(31, [result('x'.repeat(100_000))], 'p', never);
    expect(textOf(requests[0]?.messages[0]?.parts ?? []).length).toBeLessThan(3_000);
  });

  it('reports a loop only when the second judge agrees', async () => {
    const { requests, run } = judgeWith({
      'loop-detection': [0.95, 0.9],
      'loop-detection-double-check': [0.4, 0.92],
    });
    expect(await run(31, 41)).toEqual([]);
    expect(await run(42, 42)).toEqual([[42, 'llm_detected_loop']]);
    expect(requests.map(({ alias }) => alias)).toEqual([
      'loop-detection',
      'loop-detection-double-check',
      'loop-detection',
      'loop-detection-double-check',
    ]);
  });

  it('reports on one line what the judge saw', async () => {
    const { judge } = judgeWith({ 'loop-detection': [1], 'loop-detection-double-check': [1] });
    expect(await judge.afterTurn(31, history, 'p', never)).toEqual({
      type: 'llm_detected_loop',
      detail: 'the last steps brought nothing new ("It reads the same file.")',
      count: 31,
    });
  });

  it('stops no run when a judgement fails, and asks again later', async () => {
    const { requests, run } = judgeWith({
      'loop-detection': [new Error('busy'), 0.95],
      'loop-detection-double-check': [],
    });
    expect(await run(31, 40)).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(await run(41, 41)).toEqual([]);
    expect(requests).toHaveLength(3);
  });

  it('starts anew with each prompt', async () => {
    const { judge, requests, run } = judgeWith({ 'loop-detection': [0, 0] });
    await run(31, 31);
    judge.startPrompt('another');
    await run(1, 31);
    expect(requests).toHaveLength(2);
  });
});
