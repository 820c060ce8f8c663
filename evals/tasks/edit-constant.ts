import { callTool, evalTask, text } from '../task.js';

export default evalTask({
  kind: 'edit',
  about: 'changes one value and keeps everything else',
  prompt: 'The VAT rate for books has become 9 percent. Change it, and nothing else.',
  judge(judge) {
    judge.fileHas('src/prices.js', 'export const VAT_RATE = 0.09;', "['SUMMER', 0.15]");
    judge.onlyChanged('src/prices.js');
  },
  right: [
    [callTool('grep_search', { pattern: 'VAT' })],
    [
      callTool('replace', {
        file_path: 'src/prices.js',
        instruction: 'The new VAT rate',
        old_string: 'VAT_RATE = 0.07',
        new_string: 'VAT_RATE = 0.09',
      }),
    ],
    [text('The VAT rate is 9 percent now.')],
  ],
  wrong: {
    'writes the file anew and a second one': [
      [
        callTool('write_file', { file_path: 'src/prices.js', content: 'export const VAT_RATE = 0.9;\n' }),
        callTool('write_file', { file_path: 'src/vat.js', content: 'export const VAT_RATE = 0.09;\n' }),
      ],
      [text('Done.')],
    ],
  },
});
