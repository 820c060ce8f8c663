import { callTool, evalTask, text } from '../task.js';

const correct = callTool('replace', {
  file_path: 'docs/shipping.md',
  instruction: 'Delivery time',
  old_string: 'two to four',
  new_string: 'one to three',
});

export default evalTask({
  kind: 'shell',
  about: 'commits its own change with the wanted message, and nothing else',
  mode: 'yolo',
  prompt:
    'Delivery takes one to three working days now: correct docs/shipping.md, and commit that file with the message "docs: new delivery time".',
  async judge(judge) {
    judge.fileHas('docs/shipping.md', 'one to three working days');
    const commit = await judge.lastCommit();
    judge.that(
      'the last commit has the message and the file',
      commit === 'docs: new delivery time\n\ndocs/shipping.md',
      commit,
    );
    judge.onlyChanged('docs/shipping.md');
  },
  right: [
    [correct],
    [
      callTool('run_shell_command', {
        command: 'git commit -q -m "docs: new delivery time" docs/shipping.md',
      }),
    ],
    [text('Committed.')],
  ],
  wrong: {
    'does not commit': [[correct], [text('Committed.')]],
    'commits something else': [
      [callTool('run_shell_command', { command: 'touch a.txt && git add -A && git commit -q -m wip' })],
      [text('Committed.')],
    ],
  },
});
