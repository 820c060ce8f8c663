import { callTool, evalTask, text } from '../task.js';

const page = (city: string) =>
  Buffer.from(`Öffnungszeiten\r\nFiliale: ${city}\r\nMontag bis Freitag, 9 bis 18 Uhr`, 'latin1');

export default evalTask({
  kind: 'edit',
  about: 'keeps the encoding and the line ends of an old text file',
  prompt: 'Our shop has moved from Köln to Düsseldorf. Correct data/opening.txt.',
  files: { 'data/opening.txt': page('Köln') },
  judge(judge) {
    judge.fileIs('data/opening.txt', page('Düsseldorf'));
    judge.onlyChanged('data/opening.txt');
  },
  right: [
    [callTool('read_file', { file_path: 'data/opening.txt' })],
    [
      callTool('replace', {
        file_path: 'data/opening.txt',
        instruction: 'The new city',
        old_string: 'Köln',
        new_string: 'Düsseldorf',
      }),
    ],
    [text('Corrected.')],
  ],
  wrong: {
    'spells the city without its umlaut and leaves a copy': [
      [
        callTool('replace', {
          file_path: 'data/opening.txt',
          instruction: 'The new city',
          old_string: 'Köln',
          new_string: 'Duesseldorf',
        }),
        callTool('write_file', { file_path: 'data/opening.txt.bak', content: 'Köln\n' }),
      ],
      [text('Corrected.')],
    ],
  },
});
