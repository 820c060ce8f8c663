/** The shapes of secrets and the names of variables that contain them, for masking and scrubbing (docs/secrets.md). */
import { arrivingNames, namedPassword, namedTokens } from './named-secrets.js';
import { after, either, literal, oneOf, optional, repeat, type Shape, sequence } from './pattern-shape.js';
import { VENDOR_TOKENS } from './vendor-tokens.js';

/** Anywhere in the name of a variable. */
export const SECRET_WORDS: readonly string[] =
  'TOKEN SECRET PASSWORD PASSWD KEY AUTH CREDENTIAL CREDS PRIVATE CERT'.split(' ');

/** Variables whose values often contain a password, though their names do not say so. */
export const SECRET_URL_NAMES: readonly string[] = [
  'DB_URI',
  'CONNECTION_STRING',
  'DATABASE_URL',
  'SLACK_WEBHOOK_URL',
];

/** Length of the longest head (secret-heads.ts). */
export const LONGEST_HEAD = 'assphrase\\\\\\"    '.length;

/** Maximum length of the conditions before a match. */
export const LOOK_BEHIND = 32;

/** A token may follow letters that end an escape: in JSON (`\n`), in a URL (`%3D`) or in a colour code. */
const ESCAPE_BEFORE = String.raw`(?<=\\[bfnrtv]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\[[0-9;]{1,20}m)`;
const ALONE = `(?:(?<![A-Za-z0-9_])|${ESCAPE_BEFORE})`;
/** For tokens that may contain dashes; otherwise each dash of a long run would start a new search. */
const ALONE_DASHED = `(?:(?<![A-Za-z0-9_-])|${ESCAPE_BEFORE})`;

const LETTERS = oneOf('[A-Za-z0-9]');
const WORD = oneOf('[A-Za-z0-9_]');
const DASHED = oneOf('[A-Za-z0-9_-]');
const BASE64 = oneOf('[A-Za-z0-9+/=]');

/** Matches an incomplete head at the end of a text, when more text follows. */
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

/** All shapes. They are unambiguous and every repetition is bounded, so matching takes linear time. */
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

/** `user:password` of a URL. Excludes characters that must be escaped there, so that a match ends at quotes. */
function addressCredentials(): Shape {
  const inAddress = '[^\\s@/"\'<>\\\\`]';
  const user = repeat(oneOf(inAddress.replace('@', ':@')), 0, 256);
  const beginning = sequence(user, literal(':'), repeat(oneOf(inAddress), 1, 513));
  return after('(?<=:\\/\\/)', { full: `${user.full}:${inAddress}{1,512}(?=@)`, part: beginning.part });
}

/** A key or certificate. Its end may be missing, as in a file excerpt; the first line alone is not a secret. */
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

/** Line ends, plain or escaped once or twice in JSON. */
function escapedLineEnd(): Shape {
  const backslashes = repeat(literal('\\'), 1, 3);
  return either(
    literal('\n'),
    literal('\r\n'),
    sequence(optional(sequence(backslashes, literal('r'))), backslashes, literal('n')),
  );
}

/** Line numbers, quotes and marks before a line in listings. Ends where Base64 can start, so that it is unambiguous. */
function decoration(): Shape {
  return repeat(sequence(repeat(oneOf('[0-9]'), 0, 6), oneOf('[ \\t>|"\',:]')), 0, 8);
}
