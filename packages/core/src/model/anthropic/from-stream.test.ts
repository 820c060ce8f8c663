import { expect, it } from 'vitest';
import { StreamAccumulator } from './from-stream.js';

it('reports that an answer has begun and its prompt cost, but no call before the end', () => {
  const answer = new StreamAccumulator({ provider: 'anthropic', toolName: (name) => name });
  answer.add({ type: 'message_start', message: { usage: { input_tokens: 7, output_tokens: 1 } } });
  const block = { type: 'tool_use', id: 'a', name: 'look', input: {} };
  expect(answer.add({ type: 'content_block_start', index: 0, content_block: block })).toEqual([
    { usageMetadata: expect.objectContaining({ promptTokenCount: 7 }) },
  ]);
  expect(answer.add({ type: 'content_block_stop', index: 0 })).toEqual([]);
  const [end] = answer.add({ type: 'message_delta', delta: { stop_reason: 'tool_use' } });
  expect(end?.candidates?.[0]?.content?.parts).toEqual([
    { functionCall: { id: 'a', name: 'look', args: {} } },
  ]);
});
