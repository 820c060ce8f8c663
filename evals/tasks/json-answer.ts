import { callTool, evalTask, text } from '../task.js';

export default evalTask({
  kind: 'explain',
  about: 'answers in the form that the prompt asks for, and nothing around it',
  mode: 'default',
  prompt:
    'List the discount codes of src/prices.js as one JSON object from code to rate. Print only the JSON, without a code fence.',
  judge(judge) {
    judge.answerHas(/^\s*\{[^`]*\}\s*$/, /"WELCOME": ?0\.05\b/, /"SUMMER": ?0\.15\b/, /"STAFF": ?0\.30?\b/);
  },
  right: [
    [callTool('read_file', { file_path: 'src/prices.js' })],
    [text('{"WELCOME": 0.05, "SUMMER": 0.15, "STAFF": 0.3}')],
  ],
  wrong: {
    'speaks in percent and words': [
      [callTool('read_file', { file_path: 'src/prices.js' })],
      [text('Here you are:\n```json\n{"WELCOME": 5, "SUMMER": 15, "STAFF": 30}\n```')],
    ],
  },
});
