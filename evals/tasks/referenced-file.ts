import { callTool, evalTask, text } from '../task.js';

export default evalTask({
  kind: 'explain',
  about: 'answers from a file in the prompt without reading it again',
  mode: 'default',
  prompt:
    'After how many days can a damaged book no longer be returned? Answer with the number only. @docs/returns.md',
  judge(judge) {
    judge.answerHas(/^\D*90\D*$/);
    judge.notCalled('read_file', 'grep_search');
  },
  right: [[text('90')]],
  wrong: {
    'takes the first number': [[text('30')]],
    'reads it again': [[callTool('read_file', { file_path: 'docs/returns.md' })], [text('90')]],
    'searches for it': [[callTool('grep_search', { pattern: 'damaged' })], [text('90')]],
  },
});
