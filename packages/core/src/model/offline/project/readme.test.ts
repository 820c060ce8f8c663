import { describe, expect, it } from 'vitest';
import { firstSentence, readReadme } from './readme.js';

describe('the opening of a README', () => {
  it('is prose without badges, markup, code and lists', () => {
    const text = [
      '<!-- note -->',
      '<p align="center"><img src="x.png"></p>',
      '',
      '# The **Tool**',
      '',
      '[![ci](a)](b) ![pic](c)',
      '',
      'It reads [meters](http://m) and',
      'draws `charts`. Try it:',
      '',
      '```sh',
      'tool --now and then some words',
      '```',
      '',
      '- a list item that is longer than twenty characters',
      '',
      '## Usage',
      '',
      'Later text that is not part of the opening.',
    ].join('\n');
    expect(readReadme(text)).toEqual({
      title: 'The Tool',
      opening: 'It reads meters and draws `charts`. Try it:',
      headings: ['Usage'],
    });
  });

  it('is found under an underlined title and behind front matter', () => {
    expect(readReadme('---\na: b\n---\nTool\n====\n\nA tool for many things.\n')).toEqual({
      title: 'Tool',
      opening: 'A tool for many things.',
      headings: [],
    });
  });

  it('is cut at a sentence when long', () => {
    const { opening = '' } = readReadme(`# A\n\n${'This sentence is repeated. '.repeat(60)}`);
    expect(opening.length).toBeLessThanOrEqual(600);
    expect(opening.endsWith('repeated.')).toBe(true);
  });

  it('may be missing', () => {
    expect(readReadme('')).toEqual({ title: undefined, opening: undefined, headings: [] });
  });

  it('has a first sentence', () => {
    expect(firstSentence('Version 1.2 is\nhere. More.')).toBe('Version 1.2 is here.');
  });
});
