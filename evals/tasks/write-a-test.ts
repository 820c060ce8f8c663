import { callTool, evalTask, text } from '../task.js';

const test = (assertions: string) => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay, formatPrice } from '../src/format.js';

test('formats', () => {
${assertions}
});
`;

export default evalTask({
  kind: 'fix',
  about: 'writes a test that passes today and fails when the code breaks',
  mode: 'yolo',
  prompt:
    'Write test/format.test.js for the two functions of src/format.js, in the style of our other tests.',
  async judge(judge) {
    judge.onlyChanged('test/format.test.js');
    judge.fileHas('test/format.test.js', "from 'node:test'");
    const sound = await judge.runTests();
    judge.that('it passes', sound.code === 0, sound.output.slice(-200));
    judge.rewrite('src/format.js', 'toFixed(2)', 'toFixed(1)');
    judge.that('it notices a wrong price', (await judge.runTests()).code !== 0);
    judge.rewrite('src/format.js', 'slice(0, 10)', 'slice(0, 7)');
    judge.that('it notices a wrong day', (await judge.runTests()).code !== 0);
  },
  right: [
    [
      callTool('read_file', { file_path: 'src/format.js' }),
      callTool('read_file', { file_path: 'test/cart.test.js' }),
    ],
    [
      callTool('write_file', {
        file_path: 'test/format.test.js',
        content: test(
          "  assert.equal(formatPrice(1.5), '1.50 EUR');\n  assert.equal(formatDay(new Date('2024-05-31T10:00:00Z')), '2024-05-31');",
        ),
      }),
    ],
    [text('Written.')],
  ],
  wrong: {
    'asserts nothing': [
      [
        callTool('write_file', {
          file_path: 'test/format.test.js',
          content: test('  assert.ok(formatPrice);\n  assert.ok(formatDay);'),
        }),
      ],
      [text('Written.')],
    ],
    'expects something else, in the source folder': [
      [
        callTool('write_file', {
          file_path: 'src/format.test.js',
          content: test("  assert.equal(formatPrice(1.5), '1.5');"),
        }),
      ],
      [text('Written.')],
    ],
  },
});
