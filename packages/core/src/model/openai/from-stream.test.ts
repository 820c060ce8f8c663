import { expect, it } from 'vitest';
import { ChatAccumulator } from './from-stream.js';

const payload = (delta: object, more: object = {}) => JSON.stringify({ choices: [{ delta }], ...more });
const fragment = (piece: string) => payload({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
const accumulator = () => new ChatAccumulator('mine', [], () => new Error('refused'));

it('reports that an answer has begun, but no call before the end', () => {
  const answer = accumulator();
  expect(answer.add(payload({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look' } }] }))).toEqual([
    {},
  ]);
  expect(answer.add(fragment('{"a":'))).toEqual([]);
  expect(answer.add(fragment('1}'))).toEqual([]);
  answer.add('[DONE]');
  expect(answer.finish()[0]?.candidates?.[0]?.content?.parts).toEqual([
    { functionCall: { id: 'a', name: 'look', args: { a: 1 } } },
  ]);
});

it('reports counted tokens at once, because the rest may never come', () => {
  const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
  const counted = { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 };
  const answer = accumulator();
  expect(answer.add(payload({ content: 'hi' }))[0]?.usageMetadata).toBeUndefined();
  expect(answer.add(JSON.stringify({ choices: [], usage }))).toEqual([{ usageMetadata: counted }]);
  expect(answer.finish()[0]?.usageMetadata).toEqual(counted);
});
