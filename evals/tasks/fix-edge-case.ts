import { callTool, evalTask, text } from '../task.js';

const HIDDEN_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { averagePrice } from '../src/average.js';
import { addItem, createCart } from '../src/index.js';

test('the average of a cart', () => {
  assert.equal(averagePrice(createCart()), 0);
  assert.equal(averagePrice(addItem(createCart(), 'Atlas', 20, 3)), 20);
  assert.equal(averagePrice(addItem(addItem(createCart(), 'Atlas', 20, 3), 'Novel', 10)), 17.5);
});
`;

const replaced = (new_string: string) =>
  callTool('replace', {
    file_path: 'src/average.js',
    instruction: 'Empty carts',
    old_string: '  return roundMoney(subtotal(cart) / count);',
    new_string,
  });

export default evalTask({
  kind: 'fix',
  about: 'repairs an edge case from a description, without breaking the usual case',
  prompt: 'averagePrice in src/average.js returns NaN for an empty cart. It should return 0.',
  files: {
    'src/average.js':
      "import { subtotal } from './cart.js';\nimport { roundMoney } from './prices.js';\n\n/** What one book of the cart costs on average. */\nexport function averagePrice(cart) {\n  const count = cart.items.reduce((sum, item) => sum + item.count, 0);\n  return roundMoney(subtotal(cart) / count);\n}\n",
  },
  async judge(judge) {
    await judge.testsPass({ 'test/hidden-average.test.js': HIDDEN_TEST });
    judge.onlyChanged('src/average.js', 'test/');
  },
  right: [
    [callTool('read_file', { file_path: 'src/average.js' })],
    [replaced('  return count === 0 ? 0 : roundMoney(subtotal(cart) / count);')],
    [text('An empty cart has the average 0 now.')],
  ],
  wrong: {
    'breaks the usual case, and the cart': [
      [
        replaced('  return roundMoney(subtotal(cart) / (count || 1)) && 0;'),
        callTool('replace', {
          file_path: 'src/cart.js',
          instruction: 'Empty carts',
          old_string: '= 1) {',
          new_string: '= 0) {',
        }),
      ],
      [text('Fixed.')],
    ],
  },
});
