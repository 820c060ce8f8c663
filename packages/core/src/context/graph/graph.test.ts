import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../protocol/messages.js';
import { randomConversation } from '../conversations.test-helper.js';
import { ContextGraphBuilder } from './build.js';
import { lowerGraph } from './lower.js';
import { getStableId } from './stable-id.js';

const prompt = (text: string): Message => ({ role: 'user', origin: 'prompt', parts: [{ text }] });
const answer = (...parts: Part[]): Message => ({ role: 'model', origin: 'model', parts });
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a turn id', () => {
  it('is the MD5 of role and parts with the number of the occurrence', () => {
    const { turns } = new ContextGraphBuilder().build([prompt('hi'), answer({ text: 'hi' }), prompt('hi')]);
    const user = md5('user:[{"text":"hi"}]');
    const model = md5('model:[{"text":"hi"}]');
    expect(turns.map(({ id }) => id)).toEqual([`turn_${user}_1`, `turn_${model}_1`, `turn_${user}_2`]);
  });

  it('is the same when the same history is read again', () => {
    const idsOf = (history: Message[]) => new ContextGraphBuilder().build(history).turns.map(({ id }) => id);
    const history = randomConversation(7, 60);
    expect(idsOf(structuredClone(history))).toEqual(idsOf(history));
  });

  it('stays with its message when turns before it are gone, and is never given twice', () => {
    const builder = new ContextGraphBuilder();
    const [first, second] = [prompt('same'), prompt('same')];
    const before = builder.build([first, second]).turns[1]?.id;
    const after = builder.build([second, prompt('same')]).turns.map(({ id }) => id);
    expect(after[0]).toBe(before);
    expect(after[1]).toBe(before?.replace(/_2$/, '_3'));
  });

  it('is cached per object', () => {
    const map = new WeakMap<object, string>();
    const message = prompt('x');
    expect(getStableId(message, map, 'abc_1', -1)).toBe('turn_abc_1');
    expect(getStableId(message, map, 'other_9', -1)).toBe('turn_abc_1');
  });
});

describe('a node', () => {
  it('has the id and type of its part', () => {
    const parts: Part[] = [
      { text: 'a', thought: true },
      { text: 'b' },
      { functionCall: { id: '1', name: 'f', args: {} } },
      { functionCall: { name: 'f', args: {} } },
      { inlineData: { mimeType: 'image/png', data: 'AA' } },
      { executableCode: { language: 'PYTHON', code: '1' } },
      { codeExecutionResult: { outcome: 'OK' } },
    ];
    const response: Message = {
      role: 'user',
      origin: 'tool_response',
      parts: [{ functionResponse: { id: '1', name: 'f', response: {} } }],
    };
    const history = [prompt('q'), answer(...parts), response];
    const nodes = new ContextGraphBuilder({ now: () => 5 })
      .build(history)
      .turns.flatMap(({ nodes }) => nodes);
    const salt = `${md5(`model:${JSON.stringify(parts)}`)}_1`;
    expect(nodes.map(({ type }) => type)).toEqual([
      'USER_PROMPT',
      'AGENT_THOUGHT',
      'AGENT_YIELD',
      'TOOL_EXECUTION',
      'TOOL_EXECUTION',
      'AGENT_YIELD',
      'AGENT_YIELD',
      'AGENT_YIELD',
      'TOOL_EXECUTION',
    ]);
    expect(nodes[2]).toMatchObject({
      id: `text_${sha256('b')}_${salt}_1`,
      turnId: `turn_${salt}`,
      timestamp: 5,
    });
    expect(nodes[3]?.id).toBe('call_1');
    expect(nodes[4]?.id).toBe(`call_h_${sha256(JSON.stringify({ name: 'f', args: {} }))}_${salt}_3`);
    expect(nodes.slice(5, 8).map(({ id }) => id.split('_')[0])).toEqual(['media', 'exec', 'result']);
    expect(nodes[8]?.id).toBe('resp_1');
  });
});

describe('ContextGraphBuilder', () => {
  it('builds a graph that lowers to the same messages, for any conversation', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const history = randomConversation(seed, seed % 30);
      const copy = structuredClone(history);
      const lowered = lowerGraph(new ContextGraphBuilder().build(history));
      expect(lowered.every((message, index) => message === history[index])).toBe(true);
      expect(lowered).toEqual(copy);
    }
  });

  it('skips the header of older versions, and nothing that only looks like it', () => {
    const legacy = prompt('<session_context>\nThis is the Gemini CLI. Today is…');
    const kept = [
      prompt('<session_context>\nDate'),
      prompt('About <session_context>: This is the Gemini CLI'),
      answer({ text: '<session_context> This is the Gemini CLI' }),
      // The current context message, in a project whose rules use these words.
      { ...prompt('<session_context>\nThis is the Gemini CLI repository.'), origin: 'context' as const },
    ];
    expect(lowerGraph(new ContextGraphBuilder().build([legacy, ...kept]))).toEqual(kept);
  });

  it('hashes only the new turn when one is added', () => {
    let hashed = 0;
    const builder = new ContextGraphBuilder({ onHash: () => hashed++ });
    const history = randomConversation(3, 500);
    builder.build(history);
    expect(hashed).toBe(500);
    history.push(prompt('one more'));
    expect(builder.build(history).turns).toHaveLength(501);
    expect(hashed).toBe(501);
    builder.build(history.slice(100));
    expect(hashed).toBe(501);
  });

  it('builds nodes whose replacement lowers into a new message with the same origin', () => {
    const [turn] = new ContextGraphBuilder().build([answer({ text: 'long' }, { text: 'b' })]).turns;
    const first = turn?.nodes[0];
    if (!turn || !first) throw new Error('no turn');
    const nodes = turn.nodes.with(0, { ...first, payload: { text: 's' } });
    expect(lowerGraph({ turns: [{ ...turn, nodes }] })).toEqual([answer({ text: 's' }, { text: 'b' })]);
  });
});
