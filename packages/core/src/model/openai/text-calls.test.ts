import { describe, expect, it } from 'vitest';
import type { FunctionDeclaration } from '../../protocol/tool-declaration.js';
import { parseTextCalls, TextGate } from './text-calls.js';

const tools: FunctionDeclaration[] = [
  {
    name: 'read_file',
    description: '',
    parametersJsonSchema: {
      type: 'object',
      properties: { file_path: { type: 'string' }, limit: { type: 'integer' } },
      required: ['file_path'],
    },
  },
  { name: 'list', description: '', parametersJsonSchema: { type: 'object', properties: {} } },
];
const call = { name: 'read_file', args: { file_path: 'a.txt' } };

describe('a call written as text', () => {
  it.each([
    ['hermes', '<tool_call>\n{"name": "read_file", "arguments": {"file_path": "a.txt"}}\n</tool_call>'],
    ['without its end', '<tool_call>{"name":"read_file","arguments":{"file_path":"a.txt"}}'],
    ['a fence', '```json\n{"name":"read_file","arguments":{"file_path":"a.txt"}}\n```'],
    ['bare', ' {"name":"read_file","parameters":{"file_path":"a.txt"}}\n'],
    ['arguments as text', '{"name":"read_file","arguments":"{\\"file_path\\":\\"a.txt\\"}"}'],
    ['tool and args', '{"tool":"read_file","args":{"file_path":"a.txt"}}'],
    ['tool and its arguments beside it', '{"tool":"read_file","file_path":"a.txt"}'],
    ['openai', '{"type":"function","function":{"name":"read_file","arguments":{"file_path":"a.txt"}}}'],
    ['mistral', '[TOOL_CALLS][{"name":"read_file","arguments":{"file_path":"a.txt"}}]'],
    ['newer mistral', '[TOOL_CALLS]read_file[ARGS]{"file_path":"a.txt"}'],
    ['llama', '<|python_tag|>{"name":"read_file","parameters":{"file_path":"a.txt"}}<|eom_id|>'],
    ['function tag', '<function=read_file>{"file_path":"a.txt"}</function>'],
    [
      'qwen coder',
      '<tool_call>\n<function=read_file>\n<parameter=file_path>\na.txt\n</parameter>\n</function>\n</tool_call>',
    ],
  ])('is recognised as %s', (_form, text) => {
    expect(parseTextCalls(text, tools)).toEqual([call]);
  });

  it.each([
    ['a fence that never ends', `\`\`\`json {${' '.repeat(250_000)}x`],
    ['parameters that never end', `<function=read_file>${'<parameter=file_path>'.repeat(12_000)}</function>`],
  ])('is rejected quickly: %s', (_form, text) => {
    expect(parseTextCalls(text, tools)).toBeUndefined();
  });

  it('is recognised when there are several', () => {
    const one = '<tool_call>{"name":"read_file","arguments":{"file_path":"a.txt"}}</tool_call>';
    expect(parseTextCalls(`${one}\n<tool_call>{"name":"list","arguments":{}}</tool_call>`, tools)).toEqual([
      call,
      { name: 'list', args: {} },
    ]);
  });

  it('gets values of the declared types', () => {
    const text =
      '<function=read_file><parameter=file_path>7</parameter><parameter=limit>7</parameter></function>';
    expect(parseTextCalls(text, tools)).toEqual([{ name: 'read_file', args: { file_path: '7', limit: 7 } }]);
  });
});

describe('text that is not a call', () => {
  it.each([
    ['words around it', 'Use <tool_call>{"name":"read_file","arguments":{"file_path":"a.txt"}}</tool_call>'],
    ['words behind it', '{"name":"read_file","arguments":{"file_path":"a.txt"}} would do it'],
    [
      'words between',
      '<tool_call>{"name":"list","arguments":{}}</tool_call> and <tool_call>{"name":"list","arguments":{}}',
    ],
    ['another tool', '{"name":"remove_all","arguments":{}}'],
    ['an unknown argument', '{"name":"read_file","arguments":{"file_path":"a","mode":"x"}}'],
    ['a missing argument', '{"name":"read_file","arguments":{}}'],
    ['half of it', '<tool_call>{"name":"read_file","arguments":{"file_path":"a.tx'],
    ['one good, one half', '<tool_call>{"name":"list","arguments":{}}</tool_call><tool_call>{"name":"li'],
    ['data with a name', '{"name":"list","version":"1.0.0","arguments":{}}'],
    ['a prototype key', '{"name":"read_file","arguments":{"file_path":"a","constructor":1}}'],
    [
      'two fences',
      '```json\n{"name":"list","arguments":{}}\n```\nor\n```json\n{"name":"list","arguments":{}}\n```',
    ],
    [
      'an unreadable value',
      '<function=read_file><parameter=file_path>a</parameter><parameter=limit>x</parameter></function>',
    ],
  ])('stays text with %s', (_what, text) => {
    expect(parseTextCalls(text, tools)).toBeUndefined();
  });
});

describe('the gate for text calls', () => {
  const through = (pieces: string[]) => {
    const gate = new TextGate(tools);
    return { shown: pieces.map((piece) => gate.add(piece)), calls: gate.calls(), rest: gate.release() };
  };

  it('passes prose on at once', () => {
    expect(through(['Hello', ' {"name"'])).toEqual({
      shown: ['Hello', ' {"name"'],
      calls: undefined,
      rest: '',
    });
  });

  it('holds a call back, piece by piece', () => {
    const text = '{"name": "read_file", "arguments": {"file_path": "a.txt"}}';
    const { shown, calls } = through([...text]);
    expect(shown.join('')).toBe('');
    expect(calls).toEqual([call]);
  });

  it('passes other code on as soon as it cannot be a call', () => {
    const text = '```ts\nexport function f(): void { return undefined; }\n```';
    const { shown, rest } = through([...text]);
    expect(shown.join('') + rest).toBe(text);
    expect(rest).toBe('');
  });

  it('loses no text that turns out not to be a call', () => {
    const text = '{"name": "left-pad", "version": "1.0.0", "description": "pads"}';
    const { shown, calls, rest } = through([...text]);
    expect(calls).toBeUndefined();
    expect(shown.join('') + rest).toBe(text);
  });

  it('does not hold text back without end', () => {
    const gate = new TextGate(tools);
    let shown = gate.add('{"name": "a", "arguments": ');
    for (let n = 0; n < 300; n++) shown += gate.add('x'.repeat(1024));
    expect(shown.length).toBeGreaterThan(300 * 1024);
  });
});
