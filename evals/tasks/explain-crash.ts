import { callTool, evalTask, text } from '../task.js';

const LOG = `2024-05-30T22:10:02Z info  order 8812 paid
2024-05-31T06:41:57Z info  order 8813 paid
2024-05-31T07:02:11Z error order 8814 failed
TypeError: Cannot read properties of undefined (reading 'toFixed')
    at formatPrice (file:///shop/src/format.js:3:21)
    at giftLine (file:///shop/src/gift.js:6:37)
    at printOrder (file:///shop/src/print.js:19:5)
2024-05-31T07:02:12Z info  order 8815 paid
`;

const GIFT = `import { formatPrice } from './format.js';

const WRAPPING = { paper: 1.5, box: 3 };

export function giftLine(order) {
  return \`Gift wrapping: \${formatPrice(WRAPPING[order.wrapping])}\`;
}
`;

export default evalTask({
  kind: 'explain',
  about: 'explains a crash from a log and the source',
  mode: 'default',
  prompt:
    'Order 8814 failed, see logs/shop.log. It was to be wrapped with "ribbon". In which file of ours is the cause, and which object lacks an entry? Answer in one sentence.',
  files: { 'logs/shop.log': LOG, 'src/gift.js': GIFT },
  judge(judge) {
    judge.answerHas('gift.js', 'WRAPPING');
  },
  right: [
    [
      callTool('read_file', { file_path: 'logs/shop.log' }),
      callTool('read_file', { file_path: 'src/gift.js' }),
    ],
    [text('In src/gift.js, WRAPPING has no entry "ribbon", so formatPrice gets undefined.')],
  ],
  wrong: {
    'blames the top of the stack': [
      [callTool('read_file', { file_path: 'logs/shop.log' })],
      [text('In src/format.js: amount is undefined.')],
    ],
  },
});
