import { callTool, evalTask, text } from '../task.js';

export default evalTask({
  kind: 'edit',
  about: 'creates a page from facts that are in the source',
  prompt:
    'Create docs/discounts.md for our customers: the heading "# Discounts", then one list item "- CODE: N %" for each discount code, except the one for staff. Nothing else.',
  judge(judge) {
    judge.fileHas('docs/discounts.md', /^# Discounts\n/, /^[-*] WELCOME: 5 ?%$/m, /^[-*] SUMMER: 15 ?%$/m);
    judge.fileLacks('docs/discounts.md', /staff/i);
    judge.onlyChanged('docs/discounts.md');
  },
  right: [
    [callTool('read_file', { file_path: 'src/prices.js' })],
    [
      callTool('write_file', {
        file_path: 'docs/discounts.md',
        content: '# Discounts\n\n- WELCOME: 5 %\n- SUMMER: 15 %\n',
      }),
    ],
    [text('Created docs/discounts.md.')],
  ],
  wrong: {
    'tells customers about staff, in the wrong place': [
      [
        callTool('write_file', { file_path: 'docs/discounts.md', content: 'STAFF: 30 %\n' }),
        callTool('write_file', { file_path: 'discounts.md', content: '# Discounts\n' }),
      ],
      [text('Created docs/discounts.md.')],
    ],
  },
});
