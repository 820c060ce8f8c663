import { callTool, evalTask, text } from '../task.js';

const replaced = (new_string: string) =>
  callTool('replace', {
    file_path: 'package.json',
    instruction: 'Add a script',
    old_string: '"test": "node --test",',
    new_string,
  });

export default evalTask({
  kind: 'edit',
  about: 'adds an entry to a JSON file that stays valid',
  prompt:
    'Add the script "coverage" to package.json: it runs node --test with the flag --experimental-test-coverage.',
  judge(judge) {
    const scripts = scriptsOf(judge.read('package.json'));
    judge.that(
      'package.json has the script',
      scripts?.['coverage'] === 'node --test --experimental-test-coverage',
    );
    judge.that('the other scripts stay', scripts?.['test'] === 'node --test' && 'report' in scripts);
    judge.onlyChanged('package.json');
  },
  right: [
    [callTool('read_file', { file_path: 'package.json' })],
    [replaced('"test": "node --test",\n    "coverage": "node --test --experimental-test-coverage",')],
    [text('Added the script.')],
  ],
  wrong: {
    'leaves a file that is not JSON, and a note': [
      [
        replaced('"test": "node --test"\n "coverage": "node --test --experimental-test-coverage",'),
        callTool('write_file', { file_path: 'NOTES.md', content: 'Added a script.\n' }),
      ],
      [text('Added the script.')],
    ],
  },
});

function scriptsOf(json: string | undefined): Record<string, string> | undefined {
  try {
    return (JSON.parse(json ?? '') as { scripts?: Record<string, string> }).scripts;
  } catch {
    return undefined;
  }
}
