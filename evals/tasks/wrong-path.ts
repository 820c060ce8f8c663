import { callTool, evalTask, text } from '../task.js';

export default evalTask({
  kind: 'recover',
  about: 'finds the file that was meant when the path in the prompt is wrong',
  prompt: 'Change the shipping fee in src/checkout/basket.js to 5.50 euros.',
  judge(judge) {
    judge.fileHas('src/cart.js', /SHIPPING = 5\.50?;/, 'FREE_SHIPPING_FROM = 40;');
    judge.onlyChanged('src/cart.js', 'docs/shipping.md', 'test/cart.test.js');
  },
  right: [
    [callTool('read_file', { file_path: 'src/checkout/basket.js' })],
    [callTool('grep_search', { pattern: 'shipping' })],
    [
      callTool('replace', {
        file_path: 'src/cart.js',
        instruction: 'The new fee',
        old_string: 'const SHIPPING = 4.9;',
        new_string: 'const SHIPPING = 5.5;',
      }),
    ],
    [text('There is no src/checkout/basket.js; the fee is in src/cart.js and is 5.50 now.')],
  ],
  wrong: {
    'creates the file': [
      [
        callTool('write_file', {
          file_path: 'src/checkout/basket.js',
          content: 'export const SHIPPING = 5.5;\n',
        }),
        callTool('write_file', { file_path: 'src/cart.js', content: '' }),
      ],
      [text('Changed.')],
    ],
  },
});
