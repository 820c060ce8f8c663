import { describe, expect, it } from 'vitest';
import { describeTool } from './describe-tool.js';

const SCHEMA = {
  type: 'object' as const,
  properties: {
    path: { type: 'string' as const },
    edits: {
      type: 'array' as const,
      items: { type: 'object' as const, properties: { text: { type: 'string' as const } } },
    },
  },
};

describe('describeTool', () => {
  it.each(['\n', '\r\n'])('reads the description and the parameters, with line ends %j', (lineEnd) => {
    const markdown = [
      'Edits.',
      '',
      '## Parameters',
      '',
      '- `path`: File: one.',
      '- `edits[].text`: New text.',
      '',
    ];
    expect(describeTool(markdown.join(lineEnd), SCHEMA)).toEqual({
      description: 'Edits.',
      schema: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'File: one.' },
          edits: {
            type: 'array',
            items: { type: 'object', properties: { text: { type: 'string', description: 'New text.' } } },
          },
        },
      },
    });
  });

  it('leaves the given schema as it is', () => {
    const before = structuredClone(SCHEMA);
    describeTool('Edits.\n\n## Parameters\n\n- `path`: File.\n', SCHEMA);
    expect(SCHEMA).toEqual(before);
  });

  it('takes Markdown without parameters', () => {
    expect(describeTool('Edits.\n\nTwice.\n', SCHEMA)).toEqual({
      description: 'Edits.\n\nTwice.',
      schema: SCHEMA,
    });
  });

  it('refuses a description of a parameter that does not exist', () => {
    expect(() => describeTool('Edits.\n\n## Parameters\n\n- `pth`: File.\n', SCHEMA)).toThrow('"pth"');
  });
});
