import { callTool, evalTask, text } from '../task.js';

const SCRIPT = (name: string) => `/** Makes the price list. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { formatPrice } from '../src/${name}';

mkdirSync('build', { recursive: true });
writeFileSync('build/prices.txt', \`Atlas: \${formatPrice(20)}\\n\`);
`;

export default evalTask({
  kind: 'recover',
  about: 'runs a script, reads its error, repairs the cause and runs it again',
  mode: 'yolo',
  prompt: 'Make the price list with node scripts/price-list.js. If the script is broken, repair it.',
  files: { 'scripts/price-list.js': SCRIPT('formats.js') },
  judge(judge) {
    judge.fileHas('build/prices.txt', 'Atlas: 20.00 EUR\n');
    judge.fileHas('scripts/price-list.js', "from '../src/format.js'");
    judge.onlyChanged('scripts/price-list.js', 'build/prices.txt');
  },
  right: [
    [callTool('run_shell_command', { command: 'node scripts/price-list.js' })],
    [callTool('list_directory', { dir_path: 'src' })],
    [
      callTool('replace', {
        file_path: 'scripts/price-list.js',
        instruction: 'The right module',
        old_string: 'formats.js',
        new_string: 'format.js',
      }),
    ],
    [callTool('run_shell_command', { command: 'node scripts/price-list.js' })],
    [text('The script imported a file that does not exist; the price list is in build/prices.txt.')],
  ],
  wrong: {
    'adds a file for the wrong import and does not run it again': [
      [callTool('run_shell_command', { command: 'node scripts/price-list.js' })],
      [callTool('write_file', { file_path: 'src/formats.js', content: "export * from './format.js';\n" })],
      [text('Repaired.')],
    ],
  },
});
