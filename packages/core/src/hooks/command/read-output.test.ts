/** What the exit code and the output of a hook mean. */
import { describe, expect, it } from 'vitest';
import { readPrinted } from './read-output.js';

const read = (exitCode: number, stdout = '', stderr = '') => readPrinted({ exitCode, stdout, stderr });

describe('Exit code 0', () => {
  it.each([
    ['{"decision":"deny","reason":"no"}', { decision: 'deny', reason: 'no' }],
    [' \n{"continue":false}\n', { continue: false }],
    ['"{\\"decision\\":\\"ask\\"}"', { decision: 'ask' }],
    ['', {}],
    ['all good', { decision: 'allow', systemMessage: 'all good' }],
    ['{"decision":"de', { decision: 'allow', systemMessage: '{"decision":"de' }],
    ['[1,2]', { decision: 'allow', systemMessage: '[1,2]' }],
    ['null', { decision: 'allow', systemMessage: 'null' }],
  ])('reads %s', (stdout, output) => {
    expect(read(0, stdout)).toEqual({ success: true, output });
  });

  it('reads JSON on stderr where stdout is empty', () => {
    expect(read(0, '', '{"systemMessage":"x"}').output).toEqual({ systemMessage: 'x' });
    expect(read(0, 'text', '{"systemMessage":"x"}').output).toMatchObject({ systemMessage: 'text' });
    expect(read(0, '', 'noise').output).toEqual({});
  });

  it('drops what has the wrong type, and keeps the rest', () => {
    const wrong = {
      continue: 'no',
      stopReason: 1,
      suppressOutput: 'yes',
      systemMessage: { a: 1 },
      decision: 'perhaps',
      reason: 'kept',
      hookSpecificOutput: [1],
      unknown: true,
    };
    expect(read(0, JSON.stringify(wrong)).output).toEqual({ reason: 'kept' });
  });

  it('never takes over a prototype', () => {
    const text =
      '{"__proto__":{"decision":"deny"},"hookSpecificOutput":{"tool_input":{"__proto__":{"x":1},"a":1}}}';
    const { output } = read(0, text);
    expect(output).toEqual({ hookSpecificOutput: { tool_input: { a: 1 } } });
    expect(JSON.stringify(output)).not.toContain('__proto__');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('Exit code 2', () => {
  it.each([
    ['', 'why', 'why'],
    ['out', 'why', 'why'],
    ['out', '', 'out'],
    ['', '', 'A hook blocked this without a reason.'],
    ['{"decision":"block","reason":"own"}', 'why', 'own'],
    ['{"decision":"deny"}', 'why', 'why'],
    ['{"decision":"allow","reason":"own"}', 'why', 'why'],
    ['{"decision":"allow","reason":"own"}', '', 'own'],
    ['', '{"decision":"deny","reason":"own"}', 'own'],
  ])('blocks: %s and %s give the reason %s', (stdout, stderr, reason) => {
    expect(read(2, stdout, stderr)).toMatchObject({ success: true, output: { decision: 'deny', reason } });
  });
});

describe('Any other exit code', () => {
  it.each([
    [1, 'text', '', 'Warning: text (exited with code 1)'],
    [127, '', 'not found', 'Warning: not found (exited with code 127)'],
    [3, '{"decision":"deny","reason":"r","systemMessage":"m"}', '', 'Warning: m (exited with code 3)'],
    [1, '', '', 'exited with code 1'],
  ])('%i fails without an effect', (code, stdout, stderr, warning) => {
    expect(read(code, stdout, stderr)).toEqual({ success: false, warning });
  });
});
