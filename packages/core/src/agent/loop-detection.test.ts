import { cpuMs } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { LoopDetector, type LoopFinding } from './loop-detection.js';

const detector = () => new LoopDetector({ disabled: false });
const SENTENCE = 'I will now look at the file again to make sure that nothing was missed. ';

/** Feeds text in pieces; how many letters it took, and what was found. */
function feed(target: LoopDetector, text: string, size = 13) {
  for (let from = 0; from < text.length; from += size) {
    const finding = target.onContent(text.slice(from, from + size));
    if (finding) return { finding, letters: from + size };
  }
  return undefined;
}

function calls(target: LoopDetector, list: readonly [string, unknown][]): (LoopFinding | undefined)[] {
  return list.map(([name, args]) => target.onToolCall(name, args));
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('LoopDetector on repeated calls', () => {
  it('reports the fifth identical call in a row', () => {
    const found = calls(
      detector(),
      times(5, () => ['read_file', { file_path: 'a' }]),
    );
    expect(found.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
    expect(found[4]).toEqual({
      type: 'consecutive_identical_tool_calls',
      detail: 'the tool "read_file" was called 5 times in a row with the same arguments',
      count: 5,
    });
  });

  it.each([2, 3, 4, 5])('reports a cycle of %i calls when it is complete for the fifth time', (length) => {
    const cycle = times(length * 5, (i): [string, unknown] => [`tool${i % length}`, { n: 1 }]);
    const found = calls(detector(), cycle);
    expect(found.findIndex(Boolean)).toBe(length * 5 - 1);
    const names = times(length, (i) => `tool${i}`).join(', ');
    expect(found.at(-1)?.detail).toContain(`the same ${length} calls (${names}) were made 5 times`);
  });

  it('reports a cycle also after other work', () => {
    const work = times(7, (i): [string, unknown] => ['read_file', { i }]);
    const cycle = times(10, (i): [string, unknown] => [i % 2 ? 'edit' : 'test', {}]);
    expect(calls(detector(), [...work, ...cycle]).findIndex(Boolean)).toBe(16);
  });

  it.each<[string, [string, unknown][]]>([
    ['different files', times(30, (i) => ['read_file', { file_path: `f${i}` }])],
    ['offsets of one file', times(30, (i) => ['read_file', { file_path: 'a', offset: i * 100 }])],
    ['the same call with work between', times(30, (i) => (i % 2 ? ['test', {}] : ['edit', { i }]))],
    ['a cycle of six', times(60, (i) => [`tool${i % 6}`, {}])],
    ['four times, something else, four times', times(9, (i) => ['read_file', { n: i === 4 ? 1 : 0 }])],
    ['the same arguments for different tools', times(5, (i) => [`tool${i}`, {}])],
  ])('reports nothing in thirty different steps: %s', (_what, list) => {
    expect(calls(detector(), list).filter(Boolean)).toEqual([]);
  });

  it('ignores the calls of an earlier prompt', () => {
    const target = detector();
    const same = times(4, (): [string, unknown] => ['read_file', {}]);
    calls(target, same);
    target.startPrompt();
    expect(calls(target, same).filter(Boolean)).toEqual([]);
  });
});

describe('LoopDetector on repeated text', () => {
  it.each([1, 7, 64, 5_000])('reports a repeated sentence that arrives in pieces of %i', (size) => {
    const found = feed(detector(), SENTENCE.repeat(200), size);
    expect(found?.finding.type).toBe('chanting_identical_sentences');
    expect(found?.finding.detail).toMatch(
      /^the same text was written 10 times or more: ".*nothing was missed/,
    );
    if (size === 1) expect(found?.letters).toBe(SENTENCE.length * 9 + 50);
  });

  it('reports nothing after nine repetitions', () => {
    expect(feed(detector(), `${SENTENCE.repeat(9)}Then something else.`)).toBeUndefined();
  });

  it('reports repetitions with up to five different texts between them', () => {
    const repetition = (kinds: number) => times(40, (i) => `${SENTENCE}Try ${i % kinds}!\n`).join('');
    expect(feed(detector(), repetition(5))?.finding.type).toBe('chanting_identical_sentences');
    expect(feed(detector(), repetition(9))).toBeUndefined();
  });

  it('reports nothing when the same sentence occurs far apart', () => {
    const filler = (i: number) => times(30, (j) => `word${i * 31 + j} `).join('');
    expect(feed(detector(), times(60, (i) => SENTENCE + filler(i)).join(''))).toBeUndefined();
  });

  it('reports short words and single letters, too', () => {
    expect(feed(detector(), 'Help me! '.repeat(60))).toBeDefined();
    expect(feed(detector(), 'a'.repeat(600))).toBeDefined();
    expect(feed(detector(), 'ありがとうございます。'.repeat(60))).toBeDefined();
  });

  it.each([
    ['a code block', '```ts\n', `${SENTENCE}\n`, '```\n'],
    ['a longer fence around a shorter one', '````md\n```\n', `${SENTENCE}\n`, '```\n````\n'],
    ['tildes', '~~~\n', `${SENTENCE}\n`, '~~~\n'],
    ['a table', '| a | b |\n|---|---|\n', `| ${SENTENCE} | x |\n`, ''],
    ['a list', 'So:\n', `- ${SENTENCE}\n`, ''],
    ['a numbered list', 'So:\n', `  1. ${SENTENCE}\n`, ''],
    ['headings', '', `## ${SENTENCE}\n`, ''],
    ['quotes', '', `> ${SENTENCE}\n`, ''],
    ['dividers between', '', `${SENTENCE}\n---\n`, ''],
    ['a drawn table', '', `│ ${SENTENCE} │\n├────┼────┤\n`, ''],
    ['a wide rule', '', `${'='.repeat(120)}\n`, ''],
    ['a table of contents', '', '', times(40, (i) => `Chapter ${i} ${'.'.repeat(60)} ${i * 7}\n`).join('')],
  ])('ignores repetition in %s', (_what, before, line, after) => {
    for (const size of [1, 5, 4_000]) {
      expect(feed(detector(), before + line.repeat(60) + after, size)).toBeUndefined();
    }
  });

  it('looks for repetition again after a code block', () => {
    const text = `\`\`\`\n${SENTENCE.repeat(20)}\n\`\`\`\n`;
    expect(feed(detector(), text)).toBeUndefined();
    expect(feed(detector(), text + SENTENCE.repeat(20))).toBeDefined();
  });

  it('does not take backquotes within a line for a code block', () => {
    expect(feed(detector(), `\`\`\`x\`\`\` is code.\n${SENTENCE.repeat(20)}`)).toBeDefined();
  });

  it('starts anew after any call', () => {
    const target = detector();
    for (let i = 0; i < 20; i++) {
      expect(target.onContent(SENTENCE.repeat(5))).toBeUndefined();
      target.onToolCall('read_file', { i });
    }
  });

  it('ignores an answer that was discarded', () => {
    const target = detector();
    const restart = { type: 'retry', attempt: 0, maxAttempts: 0, delayMs: 0, message: '' } as const;
    for (let i = 0; i < 5; i++) {
      expect(target.observe({ type: 'content', text: SENTENCE.repeat(4) })).toBeUndefined();
      target.observe({ ...restart, discardsOutput: true });
    }
  });

  it('quotes on one line, without control characters or half letters', () => {
    const found = feed(detector(), `\u001b[31mno\n\t${'😀'.repeat(3)} ${'x y '.repeat(40)}`.repeat(30));
    expect(found?.finding.detail).toMatch(/^[^\p{Cc}\p{Cs}]*$/u);
  });
});

describe('LoopDetector on repeated thoughts', () => {
  it('reports the same thought five times in a row', () => {
    const target = detector();
    const found = times(5, () => target.onThought('Reading', 'I read the file.'));
    expect(found.filter(Boolean)).toEqual([
      {
        type: 'repeated_thoughts',
        detail: 'the same thought came 5 times in a row: "Reading"',
        count: 5,
      },
    ]);
  });

  it('ignores different thoughts, calls between them, and thoughts that stream word by word', () => {
    const target = detector();
    const found = [
      ...times(30, (i) => target.onThought('Reading', `file ${i}`)),
      ...times(30, (i) => target.onToolCall('read', { i }) ?? target.onThought('Reading', 'the next file')),
      ...times(30, () => target.onThought('', 'no')),
    ];
    expect(found.filter(Boolean)).toEqual([]);
  });
});

describe('LoopDetector', () => {
  it('finds nothing when it is disabled', () => {
    const target = new LoopDetector({ disabled: true });
    expect(feed(target, SENTENCE.repeat(100))).toBeUndefined();
    expect(times(20, () => target.onToolCall('a', {})).filter(Boolean)).toEqual([]);
    expect(times(20, () => target.onThought('a', 'b')).filter(Boolean)).toEqual([]);
  });

  it('reports nothing in 40 random honest transcripts', { timeout: 30_000 }, () => {
    const random = numbers(20_261_115);
    for (let run = 0; run < 40; run++) {
      const target = detector();
      for (let step = 0; step < 30; step++) {
        const text = times(1 + random(60), () => honestLine(random)).join('');
        expect(feed(target, text, 1 + random(200)), text).toBeUndefined();
        const read = ['read_file', { file_path: `src/${random(9)}.ts`, offset: step * 100 }] as const;
        expect(target.onToolCall(...read)).toBeUndefined();
      }
    }
  });

  it.each<[string, string]>([
    [
      'prose',
      times(36_000, (i) => `The value ${(i * 7919) % 100_003} was found in place ${i}, and is kept. `).join(
        '',
      ),
    ],
    [
      'lines with one long beginning',
      times(
        28_000,
        (i) => `[2026-11-15] INFO org.example.very.long.package.name.Module: step ${i} of all\n`,
      ).join(''),
    ],
    ['empty lines', times(41_000, (i) => `${i}${'\n'.repeat(45)}`).join('')],
  ])('reads 2 MB in constant work per letter: %s', { timeout: 30_000 }, (_what, text) => {
    const target = detector();
    let left = 2_000_000;
    const spent = cpuMs(() => {
      while (left > 0) {
        const found = feed(target, text.slice(0, left), 20);
        if (found) expect(found).toBeUndefined();
        left -= text.length;
      }
    });
    expect(spent).toBeLessThan(400);
  });
});

type Random = (below: number) => number;

/** Reproducible numbers, so that a failure can be examined. */
function numbers(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WORDS =
  'the a file of test is has value function which returns error when model not found then we and'.split(' ');

/** Prose with few words, list items, log lines, paths: what answers of a model are made of. */
function honestLine(random: Random): string {
  const prose = () => times(4 + random(20), () => WORDS[random(WORDS.length)] ?? '').join(' ');
  switch (random(5)) {
    case 0:
      return `- ${prose()}\n`;
    case 1:
      return `2026-11-15T11:45:${random(60)} INFO a.long.module.name.that.fills.the.line ${prose()}\n`;
    case 2:
      return `\n\`\`\`\n${'const same = 1;\n'.repeat(random(30))}\`\`\`\n`;
    case 3:
      return `${prose()}. ${prose()}.\n\n`;
    default:
      return `packages/core/src/${WORDS[random(WORDS.length)]}/${random(1000)}.ts: ${prose()}\n`;
  }
}
