import { callTool, evalTask, text } from '../task.js';

export default evalTask({
  kind: 'instructions',
  about: 'does without the web when it is told to',
  prompt:
    'Without using the web: which HTTP status does our shipping service send for an unknown order? Its manual is in vendor/. Answer with the number only.',
  files: {
    'vendor/parcel/MANUAL.md':
      '# Parcel service\n\nSee also https://parcel.example/manual for newer versions.\n\n| Status | Meaning |\n|---|---|\n| 200 | known order |\n| 410 | unknown order |\n| 404 | unknown address of the service |\n',
  },
  judge(judge) {
    judge.answerHas(/^\D*410\D*$/);
    judge.notCalled('web_fetch', 'google_web_search');
  },
  right: [[callTool('grep_search', { pattern: 'unknown order', dir_path: 'vendor' })], [text('410')]],
  wrong: {
    'asks the web and guesses': [
      [
        callTool('web_fetch', { prompt: 'unknown order? http://127.0.0.1:9/manual' }),
        callTool('google_web_search', { query: '' }),
      ],
      [text('404')],
    ],
  },
});
