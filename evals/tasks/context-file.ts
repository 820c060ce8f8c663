import { callTool, evalTask, text } from '../task.js';

const CODE =
  '/** Points for loyal customers. */\nexport function points(amount) {\n  return Math.floor(amount / 10);\n}\n';
const HEADER = '// Copyright The Bookshop. All rights reserved.\n';
const create = (content: string) => callTool('write_file', { file_path: 'src/points.js', content });

const HIDDEN_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { points } from '../src/points.js';

test('points', () => assert.equal(points(29), 2));
`;

export default evalTask({
  kind: 'instructions',
  about: 'follows two rules of GEMINI.md that the prompt does not repeat',
  prompt: 'Create src/points.js with a function points(amount): one point for every full ten euros.',
  files: {
    'GEMINI.md':
      '# Rules\n\n- Every new file in src/ begins with the line `// Copyright The Bookshop. All rights reserved.`\n- Every change of behaviour gets one line under "## Unreleased" at the top of CHANGELOG.md.\n',
    'CHANGELOG.md': '# Changes\n\n## Unreleased\n\n## 1.3.0\n- `roundMoney` rounds half cents up.\n',
  },
  async judge(judge) {
    await judge.testsPass({ 'test/hidden-points.test.js': HIDDEN_TEST });
    judge.that('the header is the first line', judge.read('src/points.js')?.startsWith(HEADER) ?? false);
    judge.fileHas('CHANGELOG.md', /## Unreleased\n+[-*] .+\n+## 1\.3\.0\n- `roundMoney`/);
  },
  right: [
    [
      create(`${HEADER}\n${CODE}`),
      callTool('replace', {
        file_path: 'CHANGELOG.md',
        instruction: 'Note the change',
        old_string: '## Unreleased\n',
        new_string: '## Unreleased\n- Points for loyal customers.\n',
      }),
    ],
    [text('Created.')],
  ],
  wrong: {
    'forgets the rules': [[create(CODE)], [text('Created.')]],
    'forgets the function': [[create(HEADER)], [text('Created.')]],
  },
});
