import { describe, expect, it } from 'vitest';
import { createLog, setLogSink } from '../log.js';
import { MASK, Redactor } from './redact.js';
import { makeRandom } from './redact.test-helper.js';

const KEY = 'c0rrect-h0rse/battery+staple';
const PEM_LINE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';

function redactorFor(...secrets: string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.addSecret(secret);
  return redactor;
}

describe('known secrets', () => {
  it('are masked everywhere, and nothing else changes', () => {
    const text = `a ${KEY}, x${KEY}x\r\n\t\u0000${KEY}${KEY} \ud83d\ude00 ${KEY.slice(0, -1)}`;
    expect(redactorFor(KEY).redact(text)).toBe(
      `a ${MASK}, x${MASK}x\r\n\t\u0000${MASK}${MASK} \ud83d\ude00 ${KEY.slice(0, -1)}`,
    );
  });

  it.each([
    ['URL-encoded', encodeURIComponent(KEY)],
    ['URL-encoded in lower case', encodeURIComponent(KEY).replace(/%../g, (code) => code.toLowerCase())],
    ['Base64', Buffer.from(KEY).toString('base64').replace(/=+$/, '')],
    ['Base64 for addresses', Buffer.from(KEY).toString('base64url')],
  ])('are masked %s', (_form, written) => {
    expect(redactorFor(KEY).redact(`<${written}>`)).toMatch(/^<\[redacted\].?>$/);
  });

  it.each(['', 'u', 'us', 'user', 'users'])('are masked in the Base64 of "%s:secret"', (user) => {
    const header = Buffer.from(`${user}:${KEY}`).toString('base64');
    const masked = redactorFor(KEY).redact(`Authorization: Basic ${header}`);
    expect(masked).toContain(MASK);
    expect(Buffer.from(masked.split(' ').at(-1) ?? '', 'base64').toString()).not.toContain(KEY.slice(3, -3));
  });

  it('are masked in JSON, also in JSON within JSON', () => {
    const secret = 'say "please"\n\\o/';
    const once = JSON.stringify({ secret });
    expect(redactorFor(secret).redact(once)).toBe(`{"secret":"${MASK}"}`);
    expect(redactorFor(secret).redact(JSON.stringify({ once }))).toBe(
      JSON.stringify({ once: `{"secret":"${MASK}"}` }),
    );
  });

  it('are masked completely when two overlap, and the longer when one contains the other', () => {
    expect(redactorFor('abcdef', 'defghi').redact('-abcdefghi-')).toBe(`-${MASK}-`);
    expect(redactorFor('abcdef', 'abcdefghi').redact('-abcdefghi- -abcdef-')).toBe(`-${MASK}- -${MASK}-`);
  });

  it('of several lines are masked line by line too', () => {
    const secret = `first-line-of-a-long-secret\nsecond\n{ "type": "plain" }`;
    expect(redactorFor(secret).redact('7: first-line-of-a-long-secret')).toBe(`7: ${MASK}`);
    expect(redactorFor(secret).redact('{ "type": "plain" } second')).toBe('{ "type": "plain" } second');
    expect(redactorFor(secret).redact(`<${secret}>`)).toBe(`<${MASK}>`);
  });

  it('of many pages are masked completely', () => {
    const random = makeRandom(5);
    const secret = random.token(7001);
    expect(redactorFor(secret).redact(`<${secret}>`)).toBe(`<${MASK.repeat(3)}>`);
  });

  it.each(['', 'short', 'aaaaaaaaaa', '12345678', 'Bearer', 'default'])(
    '%j is too common to be masked',
    (value) => {
      expect(redactorFor(value).redact(`it is ${value} indeed`)).toBe(`it is ${value} indeed`);
    },
  );

  it('may be added at any time', () => {
    const redactor = redactorFor(KEY);
    expect(redactor.redact(`${KEY} another-one`)).toBe(`${MASK} another-one`);
    redactor.addSecret('another-one');
    expect(redactor.redact(`${KEY} another-one`)).toBe(`${MASK} ${MASK}`);
  });
});

describe('variables of the environment', () => {
  const masks = (name: string, value: string) => {
    const redactor = new Redactor();
    redactor.addEnvironment({ [name]: value });
    return redactor.redact(`<${value}>`) === `<${MASK}>`;
  };

  it.each([
    ['GEMINI_API_KEY', 'abcdefgh'],
    ['my_token', 'lower-case-name'],
    ['DB_PASSWORD', 'letmeinplease'],
    ['npm_config__auth', 'dXNlcjpwdw'],
    ['AWS_SECRET_ACCESS_KEY', '/wJalrXUtnFEMI/K7MDENG/bPxRfiCY'],
    ['DATABASE_URL', 'server=db;pwd=x'],
    ['SIGNING_KEYS', 'one,two,three'],
    ['GEMINI_CLI_IDE_AUTH_TOKEN', 'a1b2c3d4'],
  ])('are secret: %s=%s', (name, value) => {
    expect(masks(name, value)).toBe(true);
  });

  it('are masked with and without the scheme of an authorization header', () => {
    const redactor = new Redactor();
    redactor.addEnvironment({ authorization: 'Bearer a1b2c3d4' });
    expect(redactor.redact('Bearer a1b2c3d4, a1b2c3d4')).toBe(`Bearer ${MASK}, ${MASK}`);
  });

  it.each([
    ['GEMINI_DEFAULT_AUTH_TYPE', 'gemini-api-key'],
    ['GEMINI_API_KEY_AUTH_MECHANISM', 'x-goog-api-key'],
    ['GIT_AUTHOR_NAME', 'Ada Lovelace1'],
    ['XAUTHORITY', '/run/user/1000/xauth_AbC123'],
    ['KEYBOARD_LAYOUT', 'de-nodeadkeys'],
    ['SSL_CERT_FILE', '/etc/passwd'],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/etc/Key1.json'],
    ['SSH_PRIVATE_KEY_PATH', '~/.ssh/id_Ed25519'],
    ['MAX_TOKENS', '100000'],
    ['USE_AUTH', 'true'],
    ['GOOGLE_CLOUD_PROJECT', 'my-project-1'],
    ['HOME', '/home/Someone1'],
  ])('are not secret: %s=%s', (name, value) => {
    expect(masks(name, value)).toBe(false);
  });
});

describe('the redactor', () => {
  const redactor = new Redactor();
  const random = makeRandom(3);

  it.each([
    `ghp_${random.token(36)}`,
    `ghs_${random.token(36)}`,
    `github_pat_${random.token(22)}_${random.token(59)}`,
    `glpat-${random.token(20)}`,
    `npm_${random.token(36)}`,
    `AIzaSy${random.token(33)}`,
    'AKIAIOSFODNN7EXAMPLE',
    `sk_live_${random.token(24)}`,
    `rk_test_${random.token(24)}`,
    `xoxb-123456789012-${random.token(24)}`,
    `sk-${random.token(48)}`,
    `sk-proj-${random.token(40)}-_${random.token(40)}`,
    `sk-ant-api03-${random.token(90)}-AA`,
    `ya29.a0${random.token(120)}`,
    `1//0g${random.token(60)}`,
    `GOCSPX-${random.token(28)}`,
    `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${random.token(43)}`,
  ])('masks %s by its shape', (secret) => {
    for (const around of [
      '%s',
      'x=%s;',
      '"a\\n%s"',
      'q%%3D%s&',
      '\u001b[32m%s\u001b[0m',
      '(%s)',
      '\\u003d%s',
    ])
      expect(redactor.redact(around.replace('%s', secret).replace('%%', '%')), around).toBe(
        around.replace('%s', MASK).replace('%%', '%'),
      );
  });

  it('masks user and password in a URL and keeps its host', () => {
    expect(redactor.redact('psql postgres://bob:hunt:er2@db.local/x redis://:pw@c')).toBe(
      `psql postgres://${MASK}@db.local/x redis://${MASK}@c`,
    );
  });

  it.each(['\n', '\r\n', '\\n', '\\\\n', ' ', '\n  12: ', '\n+', '\n"'])(
    'masks PEM keys with lines joined by %j',
    (glue) => {
      const lines = [PEM_LINE, PEM_LINE.toLowerCase(), 'abc='];
      const text = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----'].join(glue);
      expect(redactor.redact(`a${text}b`)).toBe(`a${MASK}b`);
    },
  );

  it('masks PEM that is truncated, has headers, or is in one line', () => {
    const begin = '-----BEGIN EC PRIVATE KEY-----';
    expect(redactor.redact(`${begin}\n${PEM_LINE}\n${PEM_LINE}\n... (rest cut)`)).toBe(
      `${MASK}\n... (rest cut)`,
    );
    expect(
      redactor.redact(
        `${begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${PEM_LINE}\n-----END EC PRIVATE KEY-----.`,
      ),
    ).toBe(`${MASK}.`);
    expect(redactor.redact(`${begin}${PEM_LINE.repeat(20)}-----END EC PRIVATE KEY-----.`)).toBe(`${MASK}.`);
  });

  it.each([
    'the first line is -----BEGIN PRIVATE KEY----- and then the key follows',
    'highs_and_lows_of_the_market_in_two_thousand',
    'class="sk-folding-cube-animation-with-a-long-name"',
    'https://example.com:8080/a@b "http://a:80","x":"b@c"',
    'git@github.com:owner/repository.git, ssh://git@host:22/x',
    'eyJhbGciOiJIUzI1NiJ9 without its other parts, eyJ.a.b',
    'disk-12345678901234567890123456789012 AKIA npm_config_registry',
    'See https://example.com/1//0 and xoxo-hugs',
    '',
  ])('does not mask %s', (text) => {
    expect(redactor.redact(text)).toBe(text);
  });
});

describe('redacted values', () => {
  const redactor = redactorFor(KEY);

  it('are masked at any depth, keys included', () => {
    const value = {
      a: [1, KEY, { b: `x ${KEY}` }],
      [KEY]: null,
      d: new Date(0),
      u: new URL(`https://h/?${KEY}`),
    };
    expect(redactor.redactValue(value)).toEqual({
      a: [1, MASK, { b: `x ${MASK}` }],
      [MASK]: null,
      d: new Date(0),
      u: `https://h/?${MASK}`,
    });
    expect(value.a[1]).toBe(KEY);
  });

  it('stay the same objects when there is nothing to mask', () => {
    const value = { a: [{ b: 'plain' }], bytes: Buffer.from(KEY), error: new Error('plain') };
    expect(redactor.redactValue(value)).toBe(value);
    expect([undefined, null, 3, true].map((item) => redactor.redactValue(item))).toEqual([
      undefined,
      null,
      3,
      true,
    ]);
  });

  it('that are errors stay errors, with message, stack and cause masked', () => {
    const error = new TypeError(`bad ${KEY}`, { cause: new Error(KEY) });
    const masked = redactor.redactValue(error);
    expect(masked).toBeInstanceOf(TypeError);
    expect(masked.message).toBe(`bad ${MASK}`);
    expect(masked.stack).not.toContain(KEY);
    expect(masked.cause).toEqual(new Error(MASK));
  });

  it('that contain themselves or are too deep let no secret through', () => {
    const circle: Record<string, unknown> = { secret: KEY };
    circle['self'] = circle;
    expect(redactor.redactValue(circle)).toEqual({ secret: MASK, self: '[circular]' });
    let deep: unknown = KEY;
    for (let level = 0; level < 5000; level++) deep = [deep];
    expect(JSON.stringify(redactor.redactValue(deep))).not.toContain(KEY);
  });
});

describe('the log', () => {
  it('is masked before it reaches the sink', () => {
    const lines: unknown[] = [];
    setLogSink((...line) => lines.push(line), redactorFor(KEY));
    createLog('area').warn(`sent ${KEY}`, { header: KEY });
    setLogSink(undefined);
    createLog('area').warn('not seen');
    expect(lines).toEqual([['warn', 'area', `sent ${MASK}`, { header: MASK }]]);
  });
});

describe('the redactor is fast enough', { timeout: 30_000 }, () => {
  it('for 10 MB with 100 known secrets: well under a second, and linear in the text', () => {
    const random = makeRandom(1);
    const secrets = Array.from({ length: 100 }, () => random.token(6 + random.below(40)));
    const redactor = redactorFor(...secrets);
    const text = random.prose(1_000_000, secrets).repeat(10);
    const masked = redactor.redact(text);
    expect(secrets.filter((secret) => masked.includes(secret))).toEqual([]);
  });

  it.each([
    ['prefixes', 'sk-'],
    ['dashed beginnings', '-eyJaaaaa'],
    ['dotted beginnings', 'eyJaaaaa.'],
    ['beginnings within a token', 'ya29.'],
    ['addresses', '://a:'],
    ['first lines', '-----BEGIN PRIVATE KEY-----\n'],
    ['headers', '-----BEGIN PRIVATE KEY-----\nProc-Type: 4'],
    ['line numbers', `-----BEGIN PRIVATE KEY-----${'\n123456 123456 123456 '.repeat(20)}`],
    ['keys without end', `-----BEGIN PRIVATE KEY-----\n${`${PEM_LINE}\n`.repeat(90)}`],
  ])('redacts text made to be slow within the time limit of a test: %s', (_name, piece) => {
    const redactor = redactorFor(KEY);
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    const stream = redactor.stream();
    let streamed = '';
    for (let at = 0; at < text.length; at += 50) streamed += stream.push(text.slice(at, at + 50));
    expect(streamed + stream.end()).toBe(redactor.redact(text));
  });
});
