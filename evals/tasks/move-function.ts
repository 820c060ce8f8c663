import { callTool, evalTask, text } from '../task.js';

const HIDDEN_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundMoney } from '../src/money.js';
import { roundMoney as exported } from '../src/index.js';

test('roundMoney has moved and is still exported', () => {
  assert.equal(roundMoney(2.346), 2.35);
  assert.equal(exported, roundMoney);
});
`;

const edit = (file_path: string, old_string: string, new_string: string) =>
  callTool('replace', { file_path, instruction: 'Move roundMoney', old_string, new_string });

const DEFINITION =
  '/** Rounds to whole cents. */\nexport function roundMoney(amount) {\n  return Math.round(amount * 100) / 100;\n}\n';

export default evalTask({
  kind: 'edit',
  about: 'moves a function into a new module and corrects all imports',
  prompt:
    'Move roundMoney from src/prices.js into a new file src/money.js and correct every import. src/prices.js does not export it any more; src/index.js still does.',
  files: {
    'test/prices.test.js':
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { applyDiscount } from '../src/prices.js';\n\ntest('a discount code lowers the amount', () => {\n  assert.equal(applyDiscount(100, 'WELCOME'), 95);\n});\n",
  },
  async judge(judge) {
    await judge.testsPass({ 'test/hidden-money.test.js': HIDDEN_TEST });
    judge.fileLacks('src/prices.js', /export (function|const) roundMoney|export \{[^}]*roundMoney/);
    const { output } = await judge.run('node', 'scripts/report.js');
    judge.that('the report still works', output.includes('Turnover: 174.92'), output);
  },
  right: [
    [callTool('grep_search', { pattern: 'roundMoney' })],
    [
      callTool('write_file', { file_path: 'src/money.js', content: DEFINITION }),
      edit('src/prices.js', `\n${DEFINITION}`, ''),
      edit(
        'src/prices.js',
        'export const VAT_RATE',
        "import { roundMoney } from './money.js';\n\nexport const VAT_RATE",
      ),
      edit(
        'src/cart.js',
        "import { applyDiscount, roundMoney } from './prices.js';",
        "import { roundMoney } from './money.js';\nimport { applyDiscount } from './prices.js';",
      ),
      edit(
        'src/invoice.js',
        "import { roundMoney, VAT_RATE } from './prices.js';",
        "import { roundMoney } from './money.js';\nimport { VAT_RATE } from './prices.js';",
      ),
      edit(
        'src/index.js',
        "export { applyDiscount, roundMoney, VAT_RATE, withTax } from './prices.js';",
        "export { roundMoney } from './money.js';\nexport { applyDiscount, VAT_RATE, withTax } from './prices.js';",
      ),
      edit('scripts/report.js', '../src/prices.js', '../src/money.js'),
    ],
    [text('Moved.')],
  ],
  wrong: {
    'copies it': [
      [callTool('write_file', { file_path: 'src/money.js', content: DEFINITION })],
      [text('Moved.')],
    ],
    'forgets the importers': [
      [
        callTool('write_file', { file_path: 'src/money.js', content: DEFINITION }),
        edit('src/prices.js', `\n${DEFINITION}`, ''),
      ],
      [text('Moved.')],
    ],
  },
});
