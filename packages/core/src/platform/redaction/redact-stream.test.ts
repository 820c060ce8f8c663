import { describe, expect, it } from 'vitest';
import { MASK, Redactor } from './redact.js';
import { makeRandom } from './redact.test-helper.js';

const KEY = 'c0rrect-h0rse-battery';

function redactorFor(...secrets: string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.addSecret(secret);
  return redactor;
}

function pushAll(redactor: Redactor, chunks: readonly string[]): string {
  const stream = redactor.stream();
  return chunks.map((chunk) => stream.push(chunk)).join('') + stream.end();
}

describe('a redacting stream', () => {
  it('masks a secret cut anywhere', () => {
    const text = `a ${KEY} b`;
    for (let at = 0; at <= text.length; at++) {
      expect(pushAll(redactorFor(KEY), [text.slice(0, at), text.slice(at)])).toBe(`a ${MASK} b`);
    }
    expect(pushAll(redactorFor(KEY), [...text])).toBe(`a ${MASK} b`);
  });

  it('passes on at once what cannot be a secret, and holds back what can', () => {
    const stream = redactorFor(KEY).stream();
    expect(stream.push('Continue? [y/N] ')).toBe('Continue? [y/N] ');
    expect(stream.push('it is c0rrect')).toBe('it is ');
    expect(stream.push('ly spelled')).toBe('c0rrectly spelled');
    expect(stream.push(` ${KEY}`)).toBe(` ${MASK}`);
    expect(stream.push(' ghp_abc')).toBe(' ');
    expect(stream.push('.')).toBe('ghp_abc.');
    expect(stream.push(' c0rr')).toBe(' ');
    expect(stream.end()).toBe('c0rr');
  });

  it('keeps surrogate pairs together and lets half ones pass at the end', () => {
    const stream = new Redactor().stream();
    expect([stream.push('a\ud83d'), stream.push('\ude00b\ud83d'), stream.end()]).toEqual([
      'a',
      '\ud83d\ude00b',
      '\ud83d',
    ]);
  });

  it('can be reused after its end', () => {
    const stream = redactorFor(KEY).stream();
    stream.push(KEY.slice(0, 5));
    stream.end();
    expect(stream.push(KEY.slice(5)) + stream.end()).toBe(KEY.slice(5));
  });

  it('masks secrets that are added while it runs', () => {
    const redactor = new Redactor();
    const stream = redactor.stream();
    expect(stream.push(`${KEY} `)).toBe(`${KEY} `);
    redactor.addSecret(KEY);
    expect(stream.push(`${KEY.slice(0, 7)}`) + stream.push(KEY.slice(7))).toBe(MASK);
  });

  it('holds back only a bounded part of a key without an end', () => {
    const stream = new Redactor().stream();
    const line = `${'A'.repeat(64)}\n`;
    let sent = 0;
    let received = stream.push('-----BEGIN PRIVATE KEY-----\n').length;
    while (received === 0 && sent < 100_000) {
      received += stream.push(line).length;
      sent += line.length;
    }
    expect(sent).toBeLessThan(40_000);
  });

  it('returns the same for every split of a text', { timeout: 60_000 }, () => {
    const random = makeRandom(42);
    for (let round = 0; round < 200; round++) {
      const { redactor, text } = randomCase(random);
      const longest = random.pick([1, 3, 20, 1000]);
      const chunks: string[] = [];
      for (let at = 0; at < text.length; ) {
        const size = 1 + random.below(longest);
        chunks.push(text.slice(at, at + size));
        at += size;
      }
      const streamed = pushAll(redactor, chunks);
      const whole = redactor.redact(text);
      // Compared first: a difference of long texts is slow to print.
      if (streamed !== whole) expect({ text, chunks, streamed }).toEqual({ text, chunks, streamed: whole });
    }
  });
});

type Random = ReturnType<typeof makeRandom>;

/** Secrets, almost secrets, and what may stand between them, in random order. */
function randomCase(random: Random): { redactor: Redactor; text: string } {
  const secrets = [
    'hunter2hunter',
    'abcabcabc',
    'bcabcabcXYZ',
    'pässwörd-€-😀x',
    'a"b\\c\nd-e-f-g',
    'X://y:z@w',
  ];
  const { pick, below, token } = random;
  const pieces = [
    () => pick(secrets),
    () => pick(secrets).slice(0, 1 + below(9)),
    () => encodeURIComponent(pick(secrets)),
    () => JSON.stringify(pick(secrets)),
    () => Buffer.from(`${token(below(5))}:${pick(secrets)}`).toString('base64'),
    () =>
      pick(['ghp_', 'github_pat_', 'AIza', 'sk-', 'sk-ant-', 'sk_live_', 'ya29.', '1//0', 'xoxb-']) +
      token(below(60)),
    () => `AKIA${token(16).toUpperCase()}`,
    () => `eyJ${token(below(20))}.${token(below(20))}.${token(below(20))}`,
    () => `https://${token(below(6))}:${token(below(8))}${pick(['@h', '/', ' '])}`,
    () => `://u:${token(511 + below(3))}@`,
    () => randomPem(random),
    () =>
      pick([
        ' ',
        '\n',
        '.',
        '-',
        '_',
        '"',
        '\\n',
        '%3D',
        '\u001b[32m',
        '😀',
        '\ud83d',
        ':',
        '@',
        'g',
        'sk',
        '://',
      ]),
    () => pick(['-----', '-----BEGIN ', '-----BEGIN PRIVATE KEY-----']),
  ];
  const text = Array.from({ length: 1 + below(20) }, () => pick(pieces)()).join(pick(['', '', ' ']));
  return { redactor: redactorFor(...secrets.filter(() => below(5) > 0)), text };
}

function randomPem({ pick, below, token }: Random): string {
  const label = pick(['PRIVATE KEY', 'RSA PRIVATE KEY', 'CERTIFICATE', 'PGP PRIVATE KEY BLOCK']);
  const lines = Array.from({ length: below(6) }, () => token(64));
  const headers = below(3) === 0 ? ['Proc-Type: 4,ENCRYPTED', ''] : [];
  const end = below(3) > 0 ? [`-----END ${label}-----`] : [];
  return [`-----BEGIN ${label}-----`, ...headers, ...lines, token(below(60)), ...end].join(
    pick(['\n', '\r\n', '\\n', ' ', '\n  12: ', '\n+']),
  );
}
