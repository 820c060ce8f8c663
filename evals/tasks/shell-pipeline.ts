import { callTool, evalTask, text } from '../task.js';

const ORDERS = Array.from({ length: 900 }, (_, index) => ({
  customer: ['anna', 'ben', 'chris', 'dora'][(index * index) % 7] ?? 'emil',
  amount: (index * 37) % 50,
}));

const SUM = ORDERS.filter(({ customer }) => customer === 'ben').reduce((sum, { amount }) => sum + amount, 0);

export default evalTask({
  kind: 'shell',
  about: 'computes over a long file with a command instead of in its head',
  mode: 'yolo',
  prompt:
    'data/orders.csv has the columns id, customer and amount. What is the sum of the amounts of the customer ben? End with the line "Sum: <number>".',
  files: {
    'data/orders.csv': ORDERS.map(
      ({ customer, amount }, index) => `${index + 1},${customer},${amount}\n`,
    ).join(''),
  },
  judge(judge) {
    judge.answerHas(new RegExp(`Sum: \\**${SUM}\\b`));
    judge.called('run_shell_command');
    judge.onlyChanged();
  },
  right: [
    [
      callTool('run_shell_command', {
        command: `awk -F, '$2 == "ben" { sum += $3 } END { print sum }' data/orders.csv`,
      }),
    ],
    [text(`Sum: ${SUM}`)],
  ],
  wrong: {
    'adds up in its head, and leaves notes': [
      [callTool('read_file', { file_path: 'data/orders.csv' })],
      [callTool('write_file', { file_path: 'notes.txt', content: '1 + 2 + …\n' })],
      [text('Sum: 4700')],
    ],
  },
});
