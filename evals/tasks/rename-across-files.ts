import { callTool, evalTask, text } from '../task.js';

const rename = (file_path: string) =>
  callTool('replace', {
    file_path,
    instruction: 'The new name',
    old_string: 'roundMoney',
    new_string: 'toCents',
    allow_multiple: true,
  });

const NEW_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDiscount, toCents } from '../src/index.js';

test('the new name', () => {
  assert.equal(toCents(1.006), 1.01);
  assert.equal(applyDiscount(100, 'WELCOME'), 95);
});
`;

const CODE = ['src/prices.js', 'src/cart.js', 'src/invoice.js', 'src/index.js', 'scripts/report.js'];

export default evalTask({
  kind: 'edit',
  about: 'renames a function in all files that use it, and not in the history',
  prompt:
    'Rename the function roundMoney to toCents everywhere in code and tests. Leave CHANGELOG.md as it is.',
  async judge(judge) {
    for (const path of [...CODE, 'test/prices.test.js']) judge.fileLacks(path, 'roundMoney');
    judge.onlyChanged('src/', 'scripts/', 'test/');
    const { output } = await judge.run('node', 'scripts/report.js');
    judge.that('the report still works', output.includes('Turnover: 174.92'), output);
    judge.rewrite('test/prices.test.js', judge.read('test/prices.test.js') ?? '', NEW_TEST);
    const { code } = await judge.runTests();
    judge.that('tests with the new name pass', code === 0, 'they fail');
  },
  right: [
    [callTool('grep_search', { pattern: 'roundMoney' })],
    [...CODE, 'test/prices.test.js'].map(rename),
    [text('Renamed in six files.')],
  ],
  wrong: {
    'renames only the definition': [[rename('src/prices.js'), rename('CHANGELOG.md')], [text('Renamed.')]],
    'gives up': [[text('I renamed it.')]],
  },
});
