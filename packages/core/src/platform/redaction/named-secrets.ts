/** Secrets that only the text before them gives away: `password: …`, a bot's number, the key of a connection string. */
import { after, either, literal, oneOf, optional, repeat, type Shape, sequence } from './pattern-shape.js';

/** What comes before the value and stays readable. */
const PASSWORD_NAME =
  /(?:assword|asswd|assphrase)\\{0,3}["']?[ \t]{0,4}(?::=|[:=])[ \t]{0,4}(?:\\{0,3}["'])?/iy;

/** Characters of a match that are no secret: the name and what stands between it and the value. */
export function readableLength(text: string, start: number): number {
  PASSWORD_NAME.lastIndex = start;
  return PASSWORD_NAME.test(text) ? PASSWORD_NAME.lastIndex - start : 0;
}

/**
 * `password: hunter2`, `DB_PASSWORD=…`, `"password": "…"`. Digits and letters both: a type (`password: string`) or a
 * call (`password = read()`) is none, nor is the name of a field (`password = form.pw2`).
 */
export function namedPassword(): Shape {
  const quote = sequence(repeat(literal('\\'), 0, 3), oneOf('["\']'));
  const space = repeat(oneOf('[ \\t]'), 0, 4);
  const name = sequence(passwordName(), either(literal(':='), oneOf('[:=]')), space);
  const quoted = value(`[^\\s"'\`\\\\<>{}$]`, 128, '(?=\\\\{0,3}["\'])');
  const bare = value('[^\\s"\'`,;&(){}\\[\\]<>$\\\\]', 64, '(?=[\\s&]|\\\\[rn]|$)');
  const field = '(?![A-Za-z_]\\w{0,63}(?:\\.\\w{1,63}){1,8}(?:\\s|$))';
  // While it arrives, `a.b` may still become `a.b-1`, which is not the name of a field.
  return sequence(name, either(sequence(quote, quoted), { ...bare, full: field + bare.full }));
}

/** Up to the sign, without the first letter, which may be small or capital. */
function passwordName(): Shape {
  const words = ['assword', 'ASSWORD', 'asswd', 'ASSWD', 'assphrase', 'ASSPHRASE'].map(literal);
  const quote = sequence(repeat(literal('\\'), 0, 3), oneOf('["\']'));
  return sequence(either(...words), optional(quote), repeat(oneOf('[ \\t]'), 0, 4));
}

function value(character: string, most: number, end: string): Shape {
  const mixed = `(?=${character}{0,${most}}[0-9])(?=${character}{0,${most}}[A-Za-z])`;
  // The quote behind it may be escaped, and half of that be still to come.
  return {
    full: `${mixed}${character}{6,${most}}${end}`,
    part: `${character}{0,${most}}\\\\{0,3}`,
  };
}

/** A sign and the conditions around it; a group holds what of the head stands before it. What is rarest comes first. */
export const NAMED_HEADS: readonly string[] = [
  '[:=](?<=((?:assword|ASSWORD|asswd|ASSWD|assphrase|ASSPHRASE)\\\\{0,3}["\']?[ \\t]{0,4})[:=])',
  '=(?<=(AccountKey|AccessKey|[?&;]sig)=)',
  ':(?=AA)(?<=[0-9]{8}:)',
  ':(?=APA91b)(?<=AAAA[A-Za-z0-9_-]{7}:)',
  '\\.(?=atlasv1\\.)(?<=[A-Za-z0-9]{14}\\.)',
  '\\.(?=[A-Za-z0-9_-]{6}\\.)(?<=[MNO][A-Za-z0-9_-]{23}\\.)',
];

/** The mark itself stays readable. */
export const MARKS: ReadonlySet<string> = new Set(['AccountKey', 'AccessKey', '?sig', '&sig', ';sig']);

export function namedTokens(): Shape[] {
  const dashed = oneOf('[A-Za-z0-9_-]');
  return [
    // Azure: storage, service bus, shared access signatures
    after('(?<=(?:AccountKey|AccessKey)=)', repeat(oneOf('[A-Za-z0-9+/=]'), 40, 128)),
    after('(?<=[?&;]sig=)', repeat(oneOf('[A-Za-z0-9%+/=_-]'), 40, 128)),
    // Telegram: the number before it is the bot's name
    after('(?<=[0-9]{8})', sequence(literal(':AA'), repeat(dashed, 30, 40))),
    // Firebase messaging, Terraform
    after('(?<=AAAA[A-Za-z0-9_-]{7})', sequence(literal(':APA91b'), repeat(dashed, 100, 200))),
    after('(?<=[A-Za-z0-9]{14})', sequence(literal('.atlasv1.'), repeat(dashed, 50, 128))),
    // Discord: the first part is the bot's number
    after(
      '(?<=[MNO][A-Za-z0-9_-]{23})',
      sequence(literal('.'), repeat(dashed, 6, 6), literal('.'), repeat(dashed, 27, 45)),
    ),
  ];
}

/** Heads of them that may be cut by the pieces of a stream. */
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
