import { callTool, evalTask, text } from '../task.js';

export default evalTask({
  kind: 'find',
  about: 'lists all files that import a function, and no file that only mentions it',
  mode: 'default',
  prompt:
    'Which files outside of test/ import the function roundMoney? Answer with their paths only, one per line. A file that only re-exports it counts as well.',
  files: {
    'src/rebate.js': '// Does not need roundMoney: rebates are whole euros.\nexport const REBATE = 5;\n',
  },
  judge(judge) {
    judge.answerHas('src/cart.js', 'src/invoice.js', 'src/index.js', 'scripts/report.js');
    judge.answerLacks('src/rebate.js', 'CHANGELOG.md', 'test/');
  },
  right: [
    [callTool('grep_search', { pattern: 'import.*roundMoney|export.*roundMoney' })],
    [text('src/cart.js\nsrc/invoice.js\nsrc/index.js\nscripts/report.js')],
  ],
  wrong: {
    'lists every mention': [
      [callTool('grep_search', { pattern: 'roundMoney', names_only: true })],
      [text('CHANGELOG.md\nsrc/rebate.js\ntest/prices.test.js')],
    ],
  },
});
