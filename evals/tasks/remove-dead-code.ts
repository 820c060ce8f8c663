import { callTool, evalTask, text } from '../task.js';

const remove = (old_string: string) =>
  callTool('replace', { file_path: 'src/till.js', instruction: 'Remove', old_string, new_string: '' });

const PENNIES = 'export function pennies(amount) {\n  return Math.round(amount * 100);\n}\n';
const SHILLINGS = '\nexport function shillings(amount) {\n  return Math.round(amount * 20);\n}\n';

export default evalTask({
  kind: 'edit',
  about: 'removes exactly the function that has no caller',
  prompt: 'One function in src/till.js is not used anywhere. Remove it, and change nothing else.',
  files: {
    'src/till.js': `${PENNIES}${SHILLINGS}`,
    'src/drawer.js':
      "import * as till from './till.js';\n\nexport const open = (amount) => till['pennies'](amount);\n",
  },
  judge(judge) {
    judge.fileHas('src/till.js', PENNIES);
    judge.fileLacks('src/till.js', 'shillings');
    judge.onlyChanged('src/till.js');
  },
  right: [
    [callTool('grep_search', { pattern: 'pennies|shillings' })],
    [remove(SHILLINGS)],
    [text('Removed shillings.')],
  ],
  wrong: {
    'removes the one that is called by a string': [
      [remove(PENNIES), callTool('write_file', { file_path: 'src/drawer.js', content: '' })],
      [text('Removed pennies.')],
    ],
  },
});
