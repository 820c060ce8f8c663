import { callTool, evalTask, text } from '../task.js';

const TEST = (days: number) => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canReturn } from '../src/returns.js';

test('a book can be returned within ${days} days', () => {
  assert.equal(canReturn(${days}), true);
  assert.equal(canReturn(${days + 1}), false);
});
`;

export default evalTask({
  kind: 'fix',
  about: 'sees from a specification that the test is wrong, not the code',
  mode: 'yolo',
  prompt: 'npm test fails. docs/returns.md is what we promise our customers. Correct whatever is wrong.',
  files: {
    'src/returns.js':
      '/** See docs/returns.md. */\nexport function canReturn(days) {\n  return days <= 30;\n}\n',
    'test/returns.test.js': TEST(14),
  },
  async judge(judge) {
    judge.onlyChanged('test/returns.test.js');
    const { code, output } = await judge.runTests();
    judge.that('the corrected tests pass', code === 0, output.slice(-200));
    judge.fileHas('test/returns.test.js', 'canReturn(30)');
  },
  right: [
    [
      callTool('run_shell_command', { command: 'node test/returns.test.js' }),
      callTool('read_file', { file_path: 'docs/returns.md' }),
    ],
    [callTool('write_file', { file_path: 'test/returns.test.js', content: TEST(30) })],
    [text('The test expected 14 days; the page says 30.')],
  ],
  wrong: {
    'changes the code': [
      [
        callTool('replace', {
          file_path: 'src/returns.js',
          instruction: 'Make it pass',
          old_string: '<= 30',
          new_string: '<= 14',
        }),
      ],
      [text('Fixed.')],
    ],
    'leaves it': [[text('The test is wrong.')]],
  },
});
