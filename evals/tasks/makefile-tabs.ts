import { callTool, evalTask, text } from '../task.js';

const MAKEFILE = 'all: test\n\ntest:\n\tnode --test\n\nreport:\n\tnode scripts/report.js\n';

export default evalTask({
  kind: 'edit',
  about: 'indents a Makefile with tabs',
  prompt:
    'Add a target "clean" to the end of the Makefile that removes the folder build with rm -rf. Do not run it.',
  files: { Makefile: MAKEFILE },
  judge(judge) {
    judge.fileHas('Makefile', /^clean:\n\t@?rm -rf (\.\/)?build\/?$/m);
    judge.that('the other targets stay', judge.read('Makefile')?.startsWith(MAKEFILE.trimEnd()) ?? false);
    judge.onlyChanged('Makefile');
  },
  right: [
    [callTool('read_file', { file_path: 'Makefile' })],
    [
      callTool('replace', {
        file_path: 'Makefile',
        instruction: 'Add clean',
        old_string: '\tnode scripts/report.js\n',
        new_string: '\tnode scripts/report.js\n\nclean:\n\trm -rf build\n',
      }),
    ],
    [text('Added the target.')],
  ],
  wrong: {
    'indents everything with spaces, in a second file, too': [
      [
        callTool('write_file', { file_path: 'Makefile', content: 'clean:\n    rm -rf build\n' }),
        callTool('write_file', { file_path: 'clean.mk', content: 'clean:\n    rm -rf build\n' }),
      ],
      [text('Added the target.')],
    ],
  },
});
