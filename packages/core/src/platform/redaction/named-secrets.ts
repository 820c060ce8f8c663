/** Secrets that are recognised only by the text before them: `password: …`, the key in a connection string. */
import { after, either, literal, oneOf, optional, repeat, type Shape, sequence } from './pattern-shape.js';

/** The part before the value, which stays readable. */
const PASSWORD_NAME =
  /(?:assword|asswd|assphrase)\\{0,3}["']?[ \t]{0,4}(?::=|[:=])[ \t]{0,4}(?:\\{0,3}["'])?/iy;

/** Length of the part of a match that is not secret: the name, and what is between it and the value. */
export function readableLength(text: string, start: number): number {
  PASSWORD_NAME.lastIndex = start;
  return PASSWORD_NAME.test(text) ? PASSWORD_NAME.lastIndex - start : 0;
}

/**
 * `password: hunter2`, `DB_PASSWORD=…`, `"password": "…"`. The value must have digits and letters, so that a type
 * (`password: string`), a call (`password = read()`) or a field (`password = form.pw2`) does not match.
 */
export function namedPassword(): Shape {
  const quote = sequence(repeat(literal('\\'), 0, 3), oneOf('["\']'));
  const space = repeat(oneOf('[ \\t]'), 0, 4);
  const name = sequence(passwordName(), either(literal(':='), oneOf('[:=]')), space);
  const quoted = value(`[^\\s"'\`\\\\<>{}$]`, 128, '(?=\\\\{0,3}["\'])');
  const bare = value('[^\\s"\'`,;&(){}\\[\\]<>$\\\\]', 64, '(?=[\\s&]|\\\\[rn]|$)');
  const field = '(?![A-Za-z_]\\w{0,63}(?:\\.\\w{1,63}){1,8}(?:\\s|$))';
  // In a stream, `a.b` may still become `a.b-1`, which is not a field name.
  return sequence(name, either(sequence(quote, quoted), { ...bare, full: field + bare.full }));
}

/** Up to `:` or `=`, without the first letter, which may be upper or lower case. */
function passwordName(): Shape {
  const words = ['assword', 'ASSWORD', 'asswd', 'ASSWD', 'assphrase', 'ASSPHRASE'].map(literal);
  const quote = sequence(repeat(literal('\\'), 0, 3), oneOf('["\']'));
  return sequence(either(...words), optional(quote), repeat(oneOf('[ \\t]'), 0, 4));
}

function value(character: string, most: number, end: string): Shape {
  const mixed = `(?=${character}{0,${most}}[0-9])(?=${character}{0,${most}}[A-Za-z])`;
  // The closing quote may be escaped, and the escape may be split.
  return {
    full: `${mixed}${character}{6,${most}}${end}`,
    part: `${character}{0,${most}}\\\\{0,3}`,
  };
}

/** A sign with the conditions around it; a group captures the part of the head before it. Rarest first. */
export const NAMED_HEADS: readonly string[] = [
  '[:=](?<=((?:assword|ASSWORD|asswd|ASSWD|assphrase|ASSPHRASE)\\\\{0,3}["\']?[ \\t]{0,4})[:=])',
  '=(?<=(AccountKey|AccessKey|[?&;]sig)=)',
  ':(?=AA)(?<=[0-9]{8}:)',
  ':(?=APA91b)(?<=AAAA[A-Za-z0-9_-]{7}:)',
  '\\.(?=atlasv1\\.)(?<=[A-Za-z0-9]{14}\\.)',
  '\\.(?=[A-Za-z0-9_-]{6}\\.)(?<=[MNO][A-Za-z0-9_-]{23}\\.)',
];

/** These marks stay readable. */
export const MARKS: ReadonlySet<string> = new Set(['AccountKey', 'AccessKey', '?sig', '&sig', ';sig']);

export function namedTokens(): Shape[] {
  const dashed = oneOf('[A-Za-z0-9_-]');
  return [
    // Azure: storage, service bus, shared access signatures
    after('(?<=(?:AccountKey|AccessKey)=)', repeat(oneOf('[A-Za-z0-9+/=]'), 40, 128)),
    after('(?<=[?&;]sig=)', repeat(oneOf('[A-Za-z0-9%+/=_-]'), 40, 128)),
    // Telegram: the number before it is the bot's id
    after('(?<=[0-9]{8})', sequence(literal(':AA'), repeat(dashed, 30, 40))),
    // Firebase messaging, Terraform
    after('(?<=AAAA[A-Za-z0-9_-]{7})', sequence(literal(':APA91b'), repeat(dashed, 100, 200))),
    after('(?<=[A-Za-z0-9]{14})', sequence(literal('.atlasv1.'), repeat(dashed, 50, 128))),
    // Discord: the first part is the bot's id
    after(
      '(?<=[MNO][A-Za-z0-9_-]{23})',
      sequence(literal('.'), repeat(dashed, 6, 6), literal('.'), repeat(dashed, 27, 45)),
    ),
  ];
}

/** Their heads, which may be split in a stream. */
export function arrivingNames(): Shape[] {
  const discord = sequence(literal('.'), repeat(oneOf('[A-Za-z0-9_-]'), 6, 6), literal('.'));
  return [
    ...['AccountKey=', 'AccessKey='].map(literal),
    after('(?<=[Pp])', sequence(passwordName(), oneOf('[:=]'))),
    after('(?<=[?&;])', literal('sig=')),
    after('(?<=[0-9]{8})', literal(':AA')),
    after('(?<=AAAA[A-Za-z0-9_-]{7})', literal(':APA91b')),
    after('(?<=[A-Za-z0-9]{14})', literal('.atlasv1.')),
    after('(?<=[MNO][A-Za-z0-9_-]{23})', discord),
  ];
}
