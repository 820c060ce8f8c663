import { callTool, evalTask, text } from '../task.js';

export default evalTask({
  kind: 'shell',
  about: 'runs a script and reports what it printed',
  mode: 'yolo',
  prompt: 'Run the report of this project. How many books were sold, and what is the turnover?',
  judge(judge) {
    judge.called('run_shell_command', /report/);
    judge.answerHas(/\b13\b/, '174.92');
    judge.onlyChanged();
  },
  right: [
    [callTool('read_file', { file_path: 'package.json' })],
    [callTool('run_shell_command', { command: 'npm run --silent report' })],
    [text('13 books were sold; the turnover is 174.92 euros.')],
  ],
  wrong: {
    'guesses from the source and writes it down': [
      [callTool('read_file', { file_path: 'scripts/report.js' })],
      [callTool('write_file', { file_path: 'report.txt', content: '3 books\n' })],
      [text('3 books were sold; the turnover is 47.49 euros.')],
    ],
  },
});
