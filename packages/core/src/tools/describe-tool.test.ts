import { describe, expect, it } from 'vitest';
import { describeTool, wordsFor } from './describe-tool.js';

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

  it('has fewer words for Gemini 3, and the usual ones for all others', () => {
    const usual = describeTool(
      'Edits a file.\n\n## Parameters\n\n- `path`: The file.\n\n## Gemini 3\n\nEdits.\n\n- `edits`: All.\n',
      SCHEMA,
    );
    expect(usual.description).toBe('Edits a file.');
    for (const model of ['gemini-3-pro-preview', 'gemini-3.8-flash', 'vertex/gemini-3-flash-preview']) {
      const { description, schema } = wordsFor(model, usual);
      expect(description).toBe('Edits.');
      expect(schema.properties?.['path']).toEqual({ type: 'string' });
      expect(schema.properties?.['edits']).toMatchObject({ type: 'array', description: 'All.' });
    }
    for (const model of [undefined, '', 'gemini-2.5-pro', 'openai/gpt-5', 'my-gemini-3'])
      expect(wordsFor(model, usual)).toBe(usual);
    const same = describeTool('Edits.', SCHEMA);
    expect(wordsFor('gemini-3-pro-preview', same)).toBe(same);
  });

  it('refuses a description of a parameter that does not exist', () => {
    expect(() => describeTool('Edits.\n\n## Parameters\n\n- `pth`: File.\n', SCHEMA)).toThrow('"pth"');
  });
});
