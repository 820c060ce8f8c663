import { callTool, evalTask, text } from '../task.js';

export default evalTask({
  kind: 'explain',
  about: 'computes by reading what a call returns',
  mode: 'default',
  prompt:
    'A cart holds two books of 12.50 euros each and has the code SUMMER. What does total(cart) of this project return? End your answer with the line "Result: <number>".',
  judge(judge) {
    judge.answerHas(/Result: \**26\.15\b/);
  },
  right: [
    [
      callTool('read_file', { file_path: 'src/cart.js' }),
      callTool('read_file', { file_path: 'src/prices.js' }),
    ],
    [text('25 less 15 % is 21.25; shipping is 4.90.\nResult: 26.15')],
  ],
  wrong: {
    'forgets the shipping': [
      [callTool('read_file', { file_path: 'src/prices.js' })],
      [text('25 less 15 % is 21.25.\nResult: 21.25')],
    ],
  },
});
