import { callTool, evalTask, text } from '../task.js';

const COMMAND = `description = "Prepares a release"
prompt = """
Prepare the release {{args}}:
1. Set "version" in package.json to {{args}}.
2. Add the heading "## {{args}}" above the newest release in CHANGELOG.md, with the item "- Maintenance."
Change nothing else. The newest release so far:
@{CHANGELOG.md}
"""
`;

const edit = (file_path: string, old_string: string, new_string: string) =>
  callTool('replace', { file_path, instruction: 'Release', old_string, new_string });

export default evalTask({
  kind: 'instructions',
  about: 'carries out the steps of a custom command',
  prompt: '/release 1.4.0',
  files: { '.gemini/commands/release.toml': COMMAND },
  judge(judge) {
    judge.fileHas('package.json', '"version": "1.4.0"', '"test": "node --test"');
    judge.fileHas('CHANGELOG.md', /^# Changes\n+## 1\.4\.0\n+- Maintenance\.\n+## 1\.3\.0\n/);
    judge.onlyChanged('package.json', 'CHANGELOG.md');
  },
  right: [
    [
      edit('package.json', '"version": "1.3.0"', '"version": "1.4.0"'),
      edit('CHANGELOG.md', '## 1.3.0\n', '## 1.4.0\n- Maintenance.\n\n## 1.3.0\n'),
    ],
    [text('Release 1.4.0 is prepared.')],
  ],
  wrong: {
    'writes a page about it': [
      [
        callTool('write_file', { file_path: 'RELEASE.md', content: '1.4.0\n' }),
        callTool('write_file', { file_path: 'package.json', content: '{}\n' }),
      ],
      [text('Release 1.4.0 is prepared.')],
    ],
  },
});
