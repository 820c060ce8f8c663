import { callTool, evalTask, text } from '../task.js';

const page = (content: string) => callTool('write_file', { file_path: 'docs/payment.md', content });

export default evalTask({
  kind: 'instructions',
  about: 'follows a context file that it meets in a subfolder',
  prompt:
    'Look at docs/returns.md, then write docs/payment.md in the same way: customers can pay by card or on invoice.',
  files: {
    'docs/GEMINI.md':
      '# Pages for customers\n\nEvery page ends with the line "Questions? Write to help@bookshop.example."\n',
  },
  judge(judge) {
    judge.fileHas('docs/payment.md', /^# /, /invoice/i, /Questions\? Write to help@bookshop\.example\.\n?$/);
    judge.onlyChanged('docs/payment.md');
  },
  right: [
    [callTool('read_file', { file_path: 'docs/returns.md' })],
    [page('# Payment\n\nPay by card or on invoice.\n\nQuestions? Write to help@bookshop.example.\n')],
    [text('Written.')],
  ],
  wrong: {
    'does not read the rule': [
      [
        page('Pay by card.\n'),
        callTool('write_file', { file_path: 'payment.md', content: 'Pay by card.\n' }),
      ],
      [text('Written.')],
    ],
  },
});
