import { describe, expect, it } from 'vitest';
import type { Message, MessageOrigin, Part } from '../../protocol/messages.js';
import { readConversation } from './conversation.js';

function user(parts: (Part | string)[], origin: MessageOrigin = 'prompt'): Message {
  return {
    role: 'user',
    origin,
    parts: parts.map((part) => (typeof part === 'string' ? { text: part } : part)),
  };
}

function model(...parts: Part[]): Message {
  return { role: 'model', origin: 'model', parts };
}

const CALL = { name: 'read_file', args: { file_path: 'a', start_line: 1 } };

describe('the prompt that the guide reads', () => {
  it.each<[string, Message[], string]>([
    ['is the last of the user', [user(['one']), model({ text: 'x' }), user(['two'])], 'two'],
    [
      'is not the context',
      [user(['<session_context>find x</session_context>'], 'context'), user(['hi'])],
      'hi',
    ],
    [
      'is not a correction',
      [user(['hi']), model({ text: 'x' }), user(['Please continue.'], 'correction')],
      'hi',
    ],
    [
      'follows a context in the same message',
      [user(['<session_context>\nfind x\n</session_context>', '\n\nlist files'])],
      'list files',
    ],
    ['follows what a hook added', [user(['<hook_context>run x</hook_context>\n\nlist files'])], 'list files'],
    [
      'ends before attached files',
      [
        user([
          'explain @a.md',
          '\n--- Content from referenced files ---\nContent from @a.md:\nrun `x`\n--- End of content ---',
        ]),
      ],
      'explain @a.md',
    ],
    ['may be missing', [], ''],
  ])('%s', (_, messages, prompt) => {
    expect(readConversation(messages).prompt).toBe(prompt);
  });
});

describe('outcomes of calls', () => {
  it('are found by the call, whatever the order of its arguments', () => {
    const { results } = readConversation([
      user(['show a']),
      model({ functionCall: { id: '1', ...CALL } }),
      user(
        [{ functionResponse: { id: '1', name: 'read_file', response: { output: 'text' } } }],
        'tool_response',
      ),
    ]);
    expect(results.take({ name: 'read_file', args: { start_line: 1, file_path: 'a' } })).toEqual({
      ok: true,
      text: 'text',
    });
    expect(results.take(CALL)).toBeUndefined();
  });

  it('of the same call made twice come in order', () => {
    const round = (id: string, output: string) => [
      model({ functionCall: { id, ...CALL } }),
      user([{ functionResponse: { id, name: 'read_file', response: { output } } }], 'tool_response'),
    ];
    const { results } = readConversation([user(['x']), ...round('1', 'before'), ...round('2', 'after')]);
    expect([results.take(CALL)?.text, results.take(CALL)?.text]).toEqual(['before', 'after']);
  });

  it('are matched by name and order without ids', () => {
    const other = { name: 'read_file', args: { file_path: 'b' } };
    const { results } = readConversation([
      user(['x']),
      model({ functionCall: CALL }, { functionCall: other }),
      user(
        [
          { functionResponse: { name: 'read_file', response: { output: 'A' } } },
          { functionResponse: { name: 'read_file', response: { error: 'gone' } } },
        ],
        'tool_response',
      ),
    ]);
    expect(results.take(other)).toEqual({ ok: false, text: 'gone' });
    expect(results.take(CALL)).toEqual({ ok: true, text: 'A' });
  });

  it('report a call that was cancelled or never answered', () => {
    const { results } = readConversation([
      user(['x']),
      model({ functionCall: CALL }, { functionCall: { name: 'glob', args: {} } }),
      user(
        [{ functionResponse: { name: 'glob', response: { error: '[Operation Cancelled] by user' } } }],
        'tool_response',
      ),
    ]);
    expect(results.take({ name: 'glob', args: {} })).toEqual({
      ok: false,
      text: 'by user',
      refusal: 'cancelled',
    });
    expect(results.take(CALL)).toEqual({ ok: false, text: 'The call was not answered.' });
  });

  it('of an earlier prompt are ignored', () => {
    const { results } = readConversation([
      user(['show a']),
      model({ functionCall: CALL }),
      user([{ functionResponse: { name: 'read_file', response: { output: 'old' } } }], 'tool_response'),
      model({ text: 'done' }),
      user(['show a']),
    ]);
    expect(results.take(CALL)).toBeUndefined();
  });
});
