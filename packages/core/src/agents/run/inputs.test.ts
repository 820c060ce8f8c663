import { describe, expect, it } from 'vitest';
import { checkInputs, fillTemplate, inputsOf, queryOf } from './inputs.js';

const query = { description: 'x', type: 'string', required: true } as const;

describe('inputs of an agent', () => {
  it('take the prompt as their only one, or as "prompt"', () => {
    expect(inputsOf({ inputConfig: { inputs: { query } } }, 'p')).toEqual({ query: 'p' });
    expect(inputsOf({ inputConfig: { inputSchema: { properties: { goal: {} } } } }, 'p')).toEqual({
      goal: 'p',
    });
    expect(inputsOf({ inputConfig: { inputs: { a: query, b: query } } }, 'p')).toEqual({ prompt: 'p' });
    expect(inputsOf({ inputConfig: {} }, 'p')).toEqual({ prompt: 'p' });
  });

  it('are refused with every mistake named', () => {
    const inputs = { a: query, n: { ...query, type: 'integer' }, l: { ...query, type: 'string[]' } } as const;
    const check = (values: Record<string, unknown>) => () =>
      checkInputs({ name: 'x', inputConfig: { inputs } }, values);
    expect(check({ n: 1.5, l: [1] })).toThrow(
      'Inputs of the agent "x": "a" is missing; "n" must be integer; "l" must be string[].',
    );
    expect(check({ a: '', n: 2, l: ['x'] })).not.toThrow();
  });

  it('replace placeholders once, and leave unknown ones', () => {
    const template = `\${a} \${b} \${toString}`;
    expect(fillTemplate(template, { a: '${b}', b: 2 })).toBe('${b} 2 ${toString}');
  });

  it('never lose the prompt', () => {
    expect(queryOf({ query: 'Do ${query} now' }, { query: 'it' })).toBe('Do it now');
    expect(queryOf({ systemPrompt: 'For ${query}' }, { query: 'it' })).toBe('Get Started!');
    expect(queryOf({ systemPrompt: 'Help.' }, { query: 'it' })).toBe('it');
    expect(queryOf({ query: 'Begin.' }, { query: 'it' })).toBe('Begin.\n\nit');
  });
});
