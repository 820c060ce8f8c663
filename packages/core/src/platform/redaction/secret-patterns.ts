/** What secrets look like and what variables that hold them are called (safety.md §10). Tables for masking and scrubbing. */
import { arrivingNames, namedPassword, namedTokens } from './named-secrets.js';
import { after, either, literal, oneOf, optional, repeat, type Shape, sequence } from './pattern-shape.js';
import { VENDOR_TOKENS } from './vendor-tokens.js';

/** Anywhere in the name of a variable. */
export const SECRET_WORDS: readonly string[] = [
  'TOKEN',
  'SECRET',
  'PASSWORD',
  'PASSWD',
  'KEY',
  'AUTH',
  'CREDENTIAL',
  'CREDS',
  'PRIVATE',
  'CERT',
];

/** Names that tell nothing, but whose values often carry a password. */
export const SECRET_URL_NAMES: readonly string[] = [
  'DB_URI',
  'CONNECTION_STRING',
  'DATABASE_URL',
  'SLACK_WEBHOOK_URL',
];

/** Characters of the longest head (secret-heads.ts). */
export const LONGEST_HEAD = 'assphrase\\\\\\"    '.length;

/** How far back the conditions before a match look. */
export const LOOK_BEHIND = 32;

/**
 * A token stands alone. What the letters before it are may be deceptive, though: the end of an escape in
 * JSON (`\n`), in an address (`%3D`), or of a colour code.
 */
const ESCAPE_BEFORE = String.raw`(?<=\\[bfnrtv]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\[[0-9;]{1,20}m)`;
const ALONE = `(?:(?<![A-Za-z0-9_])|${ESCAPE_BEFORE})`;
/** For tokens that may hold dashes; else each dash of a long run would begin a new search through all of it. */
const ALONE_DASHED = `(?:(?<![A-Za-z0-9_-])|${ESCAPE_BEFORE})`;

const LETTERS = oneOf('[A-Za-z0-9]');
const WORD = oneOf('[A-Za-z0-9_]');
const DASHED = oneOf('[A-Za-z0-9_-]');
const BASE64 = oneOf('[A-Za-z0-9+/=]');

/** What could be the first characters of a head, at the end of a text that goes on. */
export function headShape(): Shape {
  const heads = ['github_pat_', 'npm_', 'AIza', 'ya29.', '1//0'].map(literal);
  return either(
    after(
      ALONE,
      either(
        ...heads,
        sequence(literal('gh'), oneOf('[a-z]'), literal('_')),
        sequence(literal('A'), oneOf('[KS]'), literal('IA')),
        sequence(oneOf('[rsp]'), literal('k_')),
        sequence(literal('xox'), oneOf('[a-z]'), literal('-')),
        ...VENDOR_TOKENS.map(({ arriving }) => arriving),
      ),
    ),
    after(ALONE_DASHED, either(...['eyJ', 'sk-', 'glpat-', 'GOCSPX-'].map(literal))),
    literal('-----BEGIN '),
    ...arrivingNames(),
  );
}

/** All of them. No reading of a text is ambiguous and every repetition has a bound, so nothing takes more than linear time. */
export function secretShape(): Shape {
  return either(
    after(ALONE, either(...tokens())),
    after(ALONE_DASHED, either(...dashedTokens())),
    addressCredentials(),
    pemBlock(),
    namedPassword(),
    ...namedTokens(),
  );
}

function tokens(): Shape[] {
  return [
    sequence(literal('gh'), oneOf('[a-z]'), literal('_'), repeat(WORD, 20, 512)),
    sequence(literal('github_pat_'), repeat(WORD, 20, 512)),
    sequence(literal('npm_'), repeat(LETTERS, 36, 64)),
    sequence(literal('AIza'), repeat(DASHED, 30, 128)),
    sequence(literal('A'), oneOf('[KS]'), literal('IA'), repeat(oneOf('[A-Z0-9]'), 16, 16)),
    sequence(
      oneOf('[rsp]'),
      literal('k_'),
      either(literal('live'), literal('test')),
      literal('_'),
      repeat(LETTERS, 10, 256),
    ),
    sequence(literal('xox'), oneOf('[a-z]'), literal('-'), repeat(oneOf('[A-Za-z0-9-]'), 10, 256)),
    sequence(literal('ya29.'), repeat(oneOf('[A-Za-z0-9_.-]'), 20, 2048)),
    sequence(literal('1//0'), repeat(DASHED, 30, 256)),
    ...VENDOR_TOKENS.map(({ shape }) => shape),
  ];
}

function dashedTokens(): Shape[] {
  const webToken = sequence(
    literal('eyJ'),
    repeat(DASHED, 5, 2048),
    repeat(sequence(literal('.'), repeat(DASHED, 5, 3072)), 2, 4),
  );
  const vendor = either(...['ant', 'proj', 'svcacct', 'admin', 'or'].map(literal));
  const modelKey = sequence(
    literal('sk-'),
    either(repeat(LETTERS, 20, 256), sequence(vendor, literal('-'), repeat(DASHED, 16, 256))),
  );
  return [
    webToken,
    modelKey,
    sequence(literal('glpat-'), repeat(DASHED, 20, 256)),
    sequence(literal('GOCSPX-'), repeat(DASHED, 20, 128)),
  ];
}

/** `user:password` of an address. What cannot stand there unescaped is left out, so that no quoted text is run over. */
function addressCredentials(): Shape {
  const inAddress = '[^\\s@/"\'<>\\\\`]';
  const user = repeat(oneOf(inAddress.replace('@', ':@')), 0, 256);
  const beginning = sequence(user, literal(':'), repeat(oneOf(inAddress), 1, 513));
  return after('(?<=:\\/\\/)', { full: `${user.full}:${inAddress}{1,512}(?=@)`, part: beginning.part });
}

/** A key or certificate. Its end may be missing, as in the head of a file; a mere mention of the first line is no secret. */
function pemBlock(): Shape {
  const label = sequence(
    repeat(sequence(repeat(oneOf('[A-Z0-9]'), 1, 16), literal(' ')), 0, 3),
    either(literal('PRIVATE KEY'), literal('CERTIFICATE')),
    optional(literal(' BLOCK')),
  );
  const lineEnd = escapedLineEnd();
  const header = sequence(
    lineEnd,
    decoration(),
    oneOf('[A-Z]'),
    repeat(oneOf('[A-Za-z-]'), 2, 24),
    literal(': '),
    repeat(oneOf('[^\\r\\n\\\\]'), 0, 120),
  );
  const gap = sequence(either(lineEnd, oneOf('[ \\t]')), optional(literal('-')), decoration());
  const shortLine = sequence(gap, repeat(BASE64, 1, 96));
  const lines = repeat(sequence(gap, repeat(BASE64, 40, 96)), 1, 110);
  const singleLine = sequence(optional(gap), repeat(BASE64, 97, 12_000));
  const end = sequence(optional(gap), optional(literal('+')), literal('-----END '), label, literal('-----'));
  return sequence(
    literal('-----BEGIN '),
    label,
    literal('-----'),
    repeat(header, 0, 3),
    optional(lineEnd),
    either(
      sequence(either(singleLine, lines), optional(shortLine), optional(end)),
      sequence(repeat(shortLine, 0, 4), end),
    ),
  );
}

/** Line ends as they are, or escaped once or twice in JSON. */
function escapedLineEnd(): Shape {
  const backslashes = repeat(literal('\\'), 1, 3);
  return either(
    literal('\n'),
    literal('\r\n'),
    sequence(optional(sequence(backslashes, literal('r'))), backslashes, literal('n')),
  );
}

/** Line numbers, quotes and marks that listings put before a line. Ends where Base64 can begin, so that there is one reading only. */
function decoration(): Shape {
  return repeat(sequence(repeat(oneOf('[0-9]'), 0, 6), oneOf('[ \\t>|"\',:]')), 0, 8);
}
