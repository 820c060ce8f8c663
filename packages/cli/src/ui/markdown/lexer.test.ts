import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lexer } from 'marked';
import { expect, it } from 'vitest';
import { lexMarkdown } from './lexer.js';

const DOCS = join(import.meta.dirname, '../../../../../docs');

it('plain ASCII is lexed as marked lexes it', () => {
  const emphasis = ['*', '**', '_', '__', '***', '~~'].flatMap((mark) =>
    ['a', '.', '(', '$', '^', '`', '|', '~', ' ', '\\', '[', '<'].flatMap((left) =>
      ['b', '!', ')', '+', '=', '"', ' ', '_', ']'].map(
        (right) => `x${left}${mark}${right}word${left}${mark}${right}y ${mark}in${mark}side`,
      ),
    ),
  );
  const files = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
  const pages = files.map((name) => readFileSync(join(DOCS, name), 'utf8').replace(/[^\x00-\x7f]/g, '?'));
  expect(pages.length).toBeGreaterThan(5);
  for (const source of [...emphasis, ...pages])
    expect(lexMarkdown(source)).toEqual(new Lexer({ gfm: true }).lex(source));
});

it.each(['„*zitiert*“ **fett**。', 'größer*als*nötig — **ja**!', '漢字**強調**です'])(
  'text with other characters is left to marked: %s',
  (source) => {
    expect(lexMarkdown(source)).toEqual(new Lexer({ gfm: true }).lex(source));
  },
);
