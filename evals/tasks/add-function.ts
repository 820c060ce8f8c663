import { callTool, evalTask, text } from '../task.js';

const HIDDEN_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../src/index.js';

test('slug', () => {
  assert.equal(slug('The  Old Man & the Sea!'), 'the-old-man-the-sea');
  assert.equal(slug(' 1984 '), '1984');
});
`;

export default evalTask({
  kind: 'edit',
  about: 'adds a function and exports it where the others are exported',
  prompt:
    'Add a function slug(title) to src/format.js and export it from src/index.js like the others. It makes lower case, turns every run of characters other than a-z and 0-9 into one hyphen, and has no hyphen at the beginning or end.',
  async judge(judge) {
    await judge.testsPass({ 'test/hidden-slug.test.js': HIDDEN_TEST });
    judge.fileHas('src/format.js', 'export function formatDay', /\bslug\b/);
  },
  right: [
    [
      callTool('read_file', { file_path: 'src/format.js' }),
      callTool('read_file', { file_path: 'src/index.js' }),
    ],
    [
      callTool('replace', {
        file_path: 'src/format.js',
        instruction: 'Add slug',
        old_string: '/** The day of a date',
        new_string:
          "/** A title as a part of an address. */\nexport function slug(title) {\n  return title\n    .toLowerCase()\n    .replace(/[^a-z0-9]+/g, '-')\n    .replace(/^-|-$/g, '');\n}\n\n/** The day of a date",
      }),
      callTool('replace', {
        file_path: 'src/index.js',
        instruction: 'Export slug',
        old_string: 'formatDay, formatPrice }',
        new_string: 'formatDay, formatPrice, slug }',
      }),
    ],
    [text('Added slug.')],
  ],
  wrong: {
    'replaces the file by half a function': [
      [
        callTool('write_file', {
          file_path: 'src/format.js',
          content: "export const formatPrice = (amount) => amount.toFixed(2) + ' EUR';\n",
        }),
      ],
      [text('Added slug.')],
    ],
  },
});
