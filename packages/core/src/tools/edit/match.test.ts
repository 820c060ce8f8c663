import { describe, expect, it } from 'vitest';
import { distanceWithin } from '../../base/edit-distance.js';
import { findMatches } from './match.js';

function replaced(content: string, oldText: string, newText: string, { multiple = false } = {}) {
  const { edits, note } = findMatches({ content, oldText, newText, multiple });
  let result = '';
  let position = 0;
  for (const { start, end, text } of edits) {
    result += content.slice(position, start) + text;
    position = end;
  }
  return { text: result + content.slice(position), count: edits.length, note };
}

describe('an exact match', () => {
  it('takes everything literally', () => {
    expect(replaced('a.b*c(d)', '.b*c(', '$& $1 $$')).toEqual({
      text: 'a$& $1 $$d)',
      count: 1,
      note: undefined,
    });
  });

  it('finds all places that do not overlap', () => {
    expect(replaced('aaaa', 'aa', 'b')).toMatchObject({ text: 'bb', count: 2 });
  });

  it('comes before looser matches', () => {
    expect(replaced('  foo\nfoo\n', '  foo', '  bar')).toMatchObject({ text: '  bar\nfoo\n', count: 1 });
  });
});

describe('a flexible match', () => {
  it('ignores white space at both ends of lines and takes over the indentation', () => {
    const content = 'class A {\n    run() {  \n      go();\n    }\n}\n';
    const { text, count } = replaced(content, 'run() {\n  go();\n}', 'run() {\n  stop();\n\n  go();\n}');
    expect(count).toBe(1);
    expect(text).toBe('class A {\n    run() {\n      stop();\n\n      go();\n    }\n}\n');
  });

  it('counts the indentation of the new text from its own first line', () => {
    const { text } = replaced(
      '\t\tif (a) {\n\t\t\tb();\n\t\t}\n',
      '    if (a) {\n    b();\n    }',
      '    if (c) {\n      d();\n    }',
    );
    expect(text).toBe('\t\tif (c) {\n\t\t  d();\n\t\t}\n');
    const dedented = replaced('    x\n    y\n', ' x\n y', '  x\ny');
    expect(dedented.text).toBe('    x\n  y\n');
  });

  it('finds every place', () => {
    expect(replaced('  a();\n  b();\nx\n    a();\n    b();\n', 'a();\nb();', 'c();')).toMatchObject({
      text: '  c();\nx\n    c();\n',
      count: 2,
    });
  });

  it('deletes and adds whole lines when the searched text ends with a line end', () => {
    expect(replaced('  a\n  b\n  c\n', 'b \n', '').text).toBe('  a\n  c\n');
    expect(replaced('  a\n  b\n  c\n', 'b \n', 'B').text).toBe('  a\n  B\n  c\n');
    expect(replaced('  a\n  b', 'b \n', 'B\n').text).toBe('  a\n  B');
  });

  it('does not take blank text for every blank line', () => {
    expect(replaced('a\n\n\nb\n', '   \n', 'x').count).toBe(0);
    expect(replaced('a\n\n\nb\n', '\n\n\n', '\n').text).toBe('a\nb\n');
  });
});

describe('a match by tokens', () => {
  it('ignores white space around brackets, colons and signs', () => {
    const content = 'x\n  function  f( a,b ){\n    return a\n  }\n';
    const { text, count } = replaced(
      content,
      'function f(a,b) { return a }',
      'function f() {\n  return 1;\n}',
    );
    expect(count).toBe(1);
    expect(text).toBe('x\n  function f() {\n    return 1;\n  }\n');
  });

  it('starts at the start of a line only', () => {
    expect(replaced('let y = call( 1 );\n', 'call(1)', 'z').count).toBe(0);
  });

  it('takes the first place, or all', () => {
    const content = 'if( a )\nif ( a )\n';
    expect(replaced(content, 'if (a)', 'if (b)').text).toBe('if (b)\nif ( a )\n');
    expect(replaced(content, 'if (a)', 'if (b)', { multiple: true }).text).toBe('if (b)\nif (b)\n');
  });

  it('takes special characters of patterns literally', () => {
    expect(replaced('a.*( b )\n', 'a.*(b)', 'x').text).toBe('x\n');
    expect(replaced('aXY( b )\n', 'a.*(b)', 'x').count).toBe(0);
  });

  it('gives up on texts too long for a pattern', () => {
    const long = 'word '.repeat(60_000);
    expect(replaced('something else\n', `${long}(`, 'x').count).toBe(0);
  });
});

describe('a fuzzy match', () => {
  const content = 'alpha();\nconst greeting = "Hello, wonderful world";\nomega();\n';

  it('accepts a tenth of difference and names the lines', () => {
    expect(
      replaced(content, 'const greeting = "Hello, wonderfull world";', 'const greeting = "Bye";'),
    ).toEqual({
      text: 'alpha();\nconst greeting = "Bye";\nomega();\n',
      count: 1,
      note: 'Applied fuzzy match at line 2.',
    });
    const block = `${content}alphaXYZ();\n`;
    const many = replaced(block, 'alpha();\nconst greetin = "Hello, wonderful world";\n', 'beta();\n');
    expect(many).toEqual({
      text: 'beta();\nomega();\nalphaXYZ();\n',
      count: 1,
      note: 'Applied fuzzy match at lines 1-2.',
    });
  });

  it('counts white space a tenth', () => {
    const spaced = 'const   greeting   =   "Hello,   wonderful   world!";';
    expect(replaced(content, spaced, 'x').count).toBe(1);
  });

  it('refuses more difference, and short texts', () => {
    expect(replaced(content, 'const greeting = "Good morning everybody";', 'x').count).toBe(0);
    expect(replaced('abcdefghi\n', 'abcdefghX', 'x').count).toBe(0);
  });

  it('finds several places, none overlapping', () => {
    const lines = 'repeat the same line 1\nrepeat the same line 2\nother\n';
    const { count, note, text } = replaced(lines, 'repeat the same line X', 'done');
    expect({ count, note, text }).toEqual({
      count: 2,
      note: 'Applied fuzzy match at lines 1, 2.',
      text: 'done\ndone\nother\n',
    });
  });

  it('compares twenty lines with a thousand and with a hundred thousand within the time limit', () => {
    const large = Array.from({ length: 1000 }, (_, line) => `value_${line} = compute(${line * 7});`).join(
      '\n',
    );
    const wanted = Array.from({ length: 20 }, (_, line) => `valeu_${line} = commpute(${line * 6})`).join(
      '\n',
    );
    expect(replaced(large, wanted, 'x').count).toBe(0);
    const tooMuch = replaced(`${large}\n`.repeat(100), wanted, 'x');
    expect(tooMuch.count).toBe(0);
  });
});

describe('distanceWithin', () => {
  /** The plain definition, for comparison. */
  function distance(a: string, b: string): number {
    let row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        const cost = a[i - 1] === b[j - 1] ? 0 : 1;
        next.push(Math.min((row[j - 1] ?? 0) + cost, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
      }
      row = next;
    }
    return row[b.length] ?? 0;
  }

  it('equals the plain definition up to its limit', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    const word = () => Array.from({ length: random(9) }, () => 'abc'[random(3)]).join('');
    for (let round = 0; round < 2000; round++) {
      const [a, b, limit] = [word(), word(), random(8)];
      const exact = distance(a, b);
      expect(distanceWithin(a, b, limit), `${a} ${b} ${limit}`).toBe(exact <= limit ? exact : undefined);
    }
  });
});
