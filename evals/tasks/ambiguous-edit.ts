import { callTool, evalTask, text } from '../task.js';

const RULES = (second: number) => `export function smallParcel(weight) {
  const limit = 2;
  return weight <= limit;
}

export function largeParcel(weight) {
  const limit = ${second};
  return weight <= limit;
}
`;

const edit = (old_string: string, new_string: string, more: object = {}) =>
  callTool('replace', {
    file_path: 'src/parcels.js',
    instruction: 'The limit',
    old_string,
    new_string,
    ...more,
  });

export default evalTask({
  kind: 'recover',
  about: 'recovers from an edit that fits in two places',
  prompt: 'The limit of large parcels in src/parcels.js is wrong: it should be 10. Small parcels are right.',
  files: { 'src/parcels.js': RULES(2) },
  judge(judge) {
    judge.fileIs('src/parcels.js', RULES(10));
    judge.onlyChanged('src/parcels.js');
  },
  right: [
    [callTool('read_file', { file_path: 'src/parcels.js' })],
    [edit('  const limit = 2;', '  const limit = 10;')],
    [edit('largeParcel(weight) {\n  const limit = 2;', 'largeParcel(weight) {\n  const limit = 10;')],
    [text('The limit of large parcels is 10.')],
  ],
  wrong: {
    'changes both places, and a second file': [
      [
        edit('  const limit = 2;', '  const limit = 10;', { allow_multiple: true }),
        callTool('write_file', { file_path: 'src/limits.js', content: 'export const LARGE = 10;\n' }),
      ],
      [text('Changed.')],
    ],
  },
});
