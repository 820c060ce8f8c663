import { describe, expect, it } from 'vitest';
import { FACTS_HEADING, factLine, withFact } from './save-fact.js';

describe('a fact', () => {
  it.each([
    ['plain', 'I like tabs', 'I like tabs'],
    ['leading dashes', '-- - I like tabs ', 'I like tabs'],
    ['line breaks', 'a\r\nb\n\n## c\u2028d', 'a b ## c d'],
    ['control characters', 'a\u0000\u001b[31mb\u0007', 'a [31mb'],
    ['hidden order', 'a\u202eb', 'ab'],
    ['an import', 'read @./oauth_creds.json at start', 'read `@./oauth_creds.json` at start'],
    ['a name', 'my name is @anna', 'my name is @anna'],
    ['nothing', ' -\n', ''],
  ])('is one line with %s', (_what, fact, line) => {
    expect(factLine(fact)).toBe(line);
  });
});

describe('a new fact', () => {
  it.each([
    ['into an empty file', '', `${FACTS_HEADING}\n- new\n`],
    ['after other text', '# Mine\ntext', `# Mine\ntext\n\n${FACTS_HEADING}\n- new\n`],
    ['after the last fact', `${FACTS_HEADING}\n- old\n\n\n`, `${FACTS_HEADING}\n- old\n- new\n`],
    [
      'before the next section',
      `a\n\n${FACTS_HEADING}\n- old\n\n## Other\n- x\n`,
      `a\n\n${FACTS_HEADING}\n- old\n- new\n\n## Other\n- x\n`,
    ],
    [
      'with the line ends of the file',
      `a\r\n${FACTS_HEADING}\r\n- b\r\n`,
      `a\r\n${FACTS_HEADING}\r\n- b\r\n- new\r\n`,
    ],
    [
      'not under a heading that only looks alike',
      `### ${FACTS_HEADING.slice(3)}\n${FACTS_HEADING} and more\n`,
      `### ${FACTS_HEADING.slice(3)}\n${FACTS_HEADING} and more\n\n${FACTS_HEADING}\n- new\n`,
    ],
  ])('is put %s', (_where, before, after) => {
    expect(withFact(before, 'new')).toBe(after);
  });
});
