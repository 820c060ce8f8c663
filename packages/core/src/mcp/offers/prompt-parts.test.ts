import { expect, it } from 'vitest';
import { promptParts } from './prompt-parts.js';

const message = (content: unknown, role = 'user') => ({ role, content });

it('joins all texts of a prompt, and keeps images and resources', () => {
  const parts = promptParts({
    messages: [
      message({ type: 'text', text: 'First' }),
      message({ type: 'text', text: 'Second' }, 'assistant'),
      message({ type: 'image', data: 'aGk=', mimeType: 'image/png' }),
      message({ type: 'resource', resource: { uri: 'u', text: 'data' } }),
      message({ type: 'unknown' }),
    ],
  });
  expect(parts).toEqual([
    { text: 'First\n\nSecond' },
    { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
    { text: '<untrusted_context>\ndata\n</untrusted_context>' },
  ]);
});

it.each([
  [undefined, 'empty prompt'],
  [{ messages: 'no list' }, 'empty prompt'],
  [{ messages: [message({ type: 'text', text: ' ' }), null, message(7)] }, 'empty prompt'],
  [{ messages: [message({ type: 'text', text: 'x'.repeat(3_000_000) })] }, 'too long'],
])('refuses %.60j', (result, problem) => expect(() => promptParts(result)).toThrow(problem));
