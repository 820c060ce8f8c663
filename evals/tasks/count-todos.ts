import { callTool, evalTask, text } from '../task.js';

export default evalTask({
  kind: 'find',
  about: 'counts comments in the source, without generated files',
  mode: 'default',
  prompt:
    'How many TODO comments are in our source code? Generated files do not count. Answer with the number only.',
  files: {
    'src/stock.js':
      '// TODO: read the stock from the till\nexport const STOCK = new Map();\n\n// TODO: warn when a title runs out\nexport function inStock(title) {\n  return STOCK.get(title) ?? 0;\n}\n',
    'src/wishes.js':
      "export const TITLE = 'TODO list for beginners';\n\n/* TODO: keep wishes between visits */\nexport const WISHES = [];\n",
    'build/bundle.js': '// TODO: read the stock from the till\n// TODO: warn when a title runs out\n',
  },
  judge(judge) {
    judge.answerHas(/^\W*(3|three)\W*$/i);
  },
  right: [[callTool('grep_search', { pattern: 'TODO' })], [text('3')]],
  wrong: {
    'counts a title': [[callTool('grep_search', { pattern: 'TODO', dir_path: 'src' })], [text('4')]],
    'counts generated files': [[callTool('grep_search', { pattern: 'TODO', no_ignore: true })], [text('5')]],
  },
});
