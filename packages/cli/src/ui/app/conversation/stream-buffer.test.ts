import type { AgentEventBody } from '@gemini-cli/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StreamBuffer } from './stream-buffer.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function buffered() {
  const seen: AgentEventBody[] = [];
  return { seen, buffer: new StreamBuffer((event) => seen.push(event)) };
}

it('joins what comes within a frame', () => {
  const { seen, buffer } = buffered();
  for (const text of ['a', 'b', 'c']) buffer.push({ type: 'content', text });
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(40);
  expect(seen).toEqual([{ type: 'content', text: 'abc' }]);
});

it('keeps the order: text before the event that follows it', () => {
  const { seen, buffer } = buffered();
  buffer.push({ type: 'content', text: 'a' });
  buffer.push({ type: 'turn_finished', reason: 'completed' });
  expect(seen.map(({ type }) => type)).toEqual(['content', 'turn_finished']);
});

it('passes on only the newest output of a call', () => {
  const { seen, buffer } = buffered();
  buffer.push({ type: 'tool_output', callId: '1', output: 'x' });
  buffer.push({ type: 'tool_output', callId: '2', output: 'y' });
  buffer.push({ type: 'tool_output', callId: '1', output: 'xx' });
  buffer.flush();
  expect(seen).toEqual([
    { type: 'tool_output', callId: '1', output: 'xx' },
    { type: 'tool_output', callId: '2', output: 'y' },
  ]);
});
