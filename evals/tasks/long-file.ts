import { callTool, evalTask, text } from '../task.js';

const LINES = Array.from({ length: 6000 }, (_, index) => {
  const id = index + 1;
  return `${id};ISBN-${(id * 7919) % 1_000_000};${id === 4711 ? 'reserved' : 'free'};shelf ${id % 40}`;
});

export default evalTask({
  kind: 'find',
  about: 'finds one line in a file that is too long to read at once',
  mode: 'default',
  prompt: 'Exactly one book in data/books.csv is reserved. What is its ISBN, and on which shelf is it?',
  files: { 'data/books.csv': `${LINES.join('\n')}\n` },
  judge(judge) {
    judge.answerHas('306409', /\b31\b/);
  },
  right: [
    [callTool('grep_search', { pattern: 'reserved', dir_path: 'data/books.csv' })],
    [text('ISBN-306409 is reserved; it is on shelf 31.')],
  ],
  wrong: {
    'reads only the beginning': [
      [callTool('read_file', { file_path: 'data/books.csv' })],
      [text('ISBN-7919, shelf 1.')],
    ],
  },
});
