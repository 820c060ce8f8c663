import { callTool, evalTask, text } from '../task.js';

export default evalTask({
  kind: 'find',
  about: 'finds the line of a function that the prompt does not name',
  prompt:
    'In which file and line is the function defined that lowers a price for a discount code? Answer as path:line.',
  judge(judge) {
    judge.answerHas(/src\/prices\.js:12\b/);
    judge.onlyChanged();
  },
  right: [
    [callTool('grep_search', { pattern: 'discount' })],
    [callTool('read_file', { file_path: 'src/prices.js' })],
    [text('`src/prices.js:12`')],
  ],
  wrong: {
    'names a caller and writes it down': [
      [callTool('grep_search', { pattern: 'discount' })],
      [callTool('write_file', { file_path: 'answer.txt', content: 'src/cart.js:27\n' })],
      [text('src/cart.js:27')],
    ],
  },
});
