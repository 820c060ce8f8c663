import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../protocol/messages.js';
import { randomConversation } from '../conversations.test-helper.js';
import { curate, HistoryCurator } from './curate.js';

const prompt = (text: string): Message => ({ role: 'user', origin: 'prompt', parts: [{ text }] });
const answer = (...parts: Part[]): Message => ({ role: 'model', origin: 'model', parts });
const call = (id: string): Part => ({ functionCall: { id, name: 'f', args: {} } });
const response = (id: string, output = 'ok'): Part => ({
  functionResponse: { id, name: 'f', response: { output } },
});
const responses = (...parts: Part[]): Message => ({ role: 'user', origin: 'tool_response', parts });

describe('the curated history', () => {
  it('has the same message objects when nothing is wrong', () => {
    const history = [
      prompt('a'),
      answer({ text: 'b' }, call('1')),
      responses(response('1')),
      answer({ text: 'c' }),
      prompt('d'),
    ];
    const curated = curate(history);
    expect(curated.every((message, index) => message === history[index])).toBe(true);
    expect(curated).toHaveLength(5);
  });

  it('drops runs of answers with an empty part as a whole, and keeps user messages', () => {
    const history = [
      prompt('a'),
      answer({ text: 'x' }),
      answer({ text: '' }),
      prompt('b'),
      answer(),
      prompt('c'),
    ];
    expect(curate(history)).toEqual([prompt('a'), prompt('b'), prompt('c')]);
  });

  it('keeps calls of a turn with an empty part, and thought signatures without text', () => {
    const signed = answer({ text: '', thoughtSignature: 'c2ln' });
    const history = [prompt('a'), answer({ text: '' }, call('1')), responses(response('1')), signed];
    expect(curate(history)).toEqual([prompt('a'), answer(call('1')), responses(response('1')), signed]);
  });

  it('adds an answer to a tool response before a new user message', () => {
    const curated = curate([prompt('a'), answer(call('1')), responses(response('1')), prompt('b')]);
    expect(curated.map(({ role }) => role)).toEqual(['user', 'model', 'user', 'model', 'user']);
    expect(curated[3]?.parts[0]?.text).toContain('interrupted');
  });

  it('has exactly one response for every call', () => {
    const curated = curate([
      prompt('a'),
      answer(call('1'), call('2'), call('3')),
      responses(response('2', 'first'), response('2', 'second'), response('9')),
      prompt('b'),
    ]);
    expect(curated[2]?.parts).toEqual([
      response('2', 'first'),
      { functionResponse: { id: '1', name: 'f', response: { error: expect.stringContaining('lost') } } },
      { functionResponse: { id: '3', name: 'f', response: { error: expect.stringContaining('lost') } } },
    ]);
    expect(curate([prompt('a'), answer(call('1')), prompt('b')])[2]?.parts[0]?.functionResponse?.id).toBe(
      '1',
    );
  });

  it('keeps the last calls open, because their responses are still to come', () => {
    expect(curate([prompt('a'), answer(call('1'))])).toHaveLength(2);
  });

  it('drops responses without a call, and an answer before the first prompt', () => {
    expect(curate([answer({ text: 'hello' }), prompt('a'), responses(response('1')), prompt('b')])).toEqual([
      prompt('a'),
      prompt('b'),
    ]);
  });

  it('drops thoughts in user messages, because some request writers would send an empty message', () => {
    const odd: Message = { role: 'user', origin: 'prompt', parts: [{ text: 'hm', thought: true }] };
    expect(curate([odd, answer({ text: 'x' }), prompt('a')])).toEqual([prompt('a')]);
  });

  it('joins the texts of an answer, but not those of a prompt', () => {
    const two: Message = { role: 'user', origin: 'prompt', parts: [{ text: 'a' }, { text: 'b' }] };
    expect(curate([two, answer({ text: 'c' }, { text: 'd' }, call('1'))])).toEqual([
      two,
      answer({ text: 'cd' }, call('1')),
    ]);
  });

  it('is valid for any conversation, and repaired messages stay the same objects', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const history = randomConversation(seed, seed % 25);
      const curated = curate(history);
      expect(problemsOf(curated)).toEqual([]);
      const again = curate(history);
      expect(again.every((message, index) => message === curated[index])).toBe(true);
    }
  });

  it('is the same whether made at once or while the conversation grows', { timeout: 30_000 }, () => {
    for (let seed = 1; seed <= 100; seed++) {
      const history = randomConversation(seed, 30);
      const curator = new HistoryCurator();
      for (let length = 0; length <= history.length; length++) {
        const part = history.slice(0, length);
        expect(curator.curate(part)).toEqual(curate(part));
      }
      const shorter = history.slice(0, 12);
      expect(curator.curate(shorter)).toEqual(curate(shorter));
    }
  });

  it('does not check messages before the latest prompt again', () => {
    let reads = 0;
    const watched = answer({ text: 'x' });
    Object.defineProperty(watched, 'parts', {
      get: () => {
        reads++;
        return [{ text: 'x' }];
      },
    });
    const curator = new HistoryCurator();
    const history = [prompt('a'), watched, prompt('b')];
    curator.curate(history);
    const before = reads;
    for (const text of ['c', 'd', 'e']) {
      history.push(answer({ text }), prompt(text));
      curator.curate(history);
    }
    expect(reads).toBe(before);
  });
});

function problemsOf(messages: readonly Message[]): string[] {
  const problems: string[] = [];
  if (messages[0] && messages[0].role !== 'user') problems.push('begins with the model');
  let open: string[] = [];
  for (const [index, { role, parts }] of messages.entries()) {
    const isLast = index === messages.length - 1;
    if (parts.length === 0) problems.push(`empty ${index}`);
    if (role === 'model' && messages[index - 1]?.role === 'user' && open.length > 0)
      problems.push(`open ${open}`);
    for (const { functionCall, functionResponse } of parts) {
      if (functionCall) open.push(functionCall.id ?? functionCall.name);
      if (!functionResponse) continue;
      const found = open.findIndex(
        (id) =>
          id === functionResponse.id || id === functionResponse.name || functionResponse.id === undefined,
      );
      if (found < 0) problems.push(`response without call ${index}`);
      else open = open.toSpliced(found, 1);
    }
    if (isLast && role === 'user' && open.length > 0) problems.push(`unanswered ${open}`);
  }
  return problems;
}
