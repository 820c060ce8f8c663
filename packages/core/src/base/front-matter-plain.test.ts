import { CORE_SCHEMA, load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { readPlainFields } from './front-matter-plain.js';

describe('plain headers', () => {
  it.each([
    'name: code-reviewer\ndescription: Reviews code for best practices and security issues',
    'name: "a b"\r\ndescription: \'what: it # does\'\r\n',
    'name: x-1\n\nlicense: Apache-2.0   \ndescription: Uses a:b, {c} and [d] & more!',
    'description: naïve 日本語 text',
    'name: 12\nmax_turns: 0',
    'tools: [a]\nmodel: x',
    'tools: [read_file, Grep ,mcp_x_*]',
    'tools:\n  - a\n  - mcp_x_*\nname: b',
    'tools:\n- a\n- b\r\nname: c',
    'tools:\n  - a  \n\nname: c',
    'description: >-\n  Use when: a colon\n  # or "quotes"\nname: b',
    'description: >\r\n  one\r\n  two',
    'description: |\n    - one\n    - two\n\nname: b',
    'description: |-\n  one\n  two\n\n',
  ])('are read as YAML reads them: %j', (header) => {
    expect(readPlainFields(header)).toEqual(load(header, { schema: CORE_SCHEMA }));
  });

  it.each([
    'name: true',
    'name: 012',
    'name: 1.5',
    'description: Use when: a colon',
    'description: text # comment',
    'description: |\n  one\n\n  two',
    'description: >-\n  one\n    two',
    'description: >-\n    one\n  two',
    'description: >-\n  one \n  two',
    'description: >+\n  one',
    'description: >2\n  one',
    'description: >-\n\tone',
    'tools:\n  - a\n\n  - b',
    'description: >-',
    'tools: []',
    'tools: [a, true]',
    'tools: [a, b: c]',
    'tools: [a, [b]]',
    'tools: [*]',
    'tools:',
    'tools:\n  - a\n - b',
    'tools:\n  - a: b',
    'tools:\n  - no',
    'tools:\n  - a\n  b',
    '  - a',
    'name: a\nname: b',
    'description: one\n  two',
    'name: "a\\n"',
    'name: &a b',
    'name: ends:',
    '# only a comment',
    '',
  ])('are left to YAML when it might read them differently: %j', (header) => {
    expect(readPlainFields(header)).toBeUndefined();
  });
});
