/** Decodes and encodes text without loss: byte order marks, UTF-8/16/32 and older code pages. */
import { isUtf8 } from 'node:buffer';
import { looksBinary } from './binary-sniff.js';
import { FileError } from './file-error.js';

export interface TextFormat {
  /** `utf-8`, `utf-16le`, `utf-16be`, `utf-32le`, `utf-32be`, or a code page such as `gbk`. */
  encoding: string;
  bom: boolean;
}

export interface DecodedText {
  /** Without the byte order mark; line ends as they are. */
  text: string;
  format: TextFormat;
}

export const UTF8: TextFormat = { encoding: 'utf-8', bom: false };

/** Undefined: binary, or in an encoding that could not be written back unchanged. */
export async function decodeText(bytes: Buffer): Promise<DecodedText | undefined> {
  const marked = decodeMarked(bytes);
  if (marked) return marked;
  if (looksBinary(bytes)) return undefined;
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), format: UTF8 };
  const { decodeCodePage } = await import('./code-page.js');
  const decoded = await decodeCodePage(bytes);
  return decoded && { text: decoded.text, format: { encoding: decoded.encoding, bom: false } };
}

/** @throws FileError `unencodable` when the encoding lacks a character of `text`. */
export async function encodeText(text: string, { encoding, bom }: TextFormat): Promise<Buffer> {
  const unicode = UNICODE[encoding];
  if (unicode) {
    const body = unicode.encode(bom && text.startsWith('\uFEFF') ? text.slice(1) : text);
    return bom ? Buffer.concat([unicode.mark, body]) : body;
  }
  const { encodeCodePage } = await import('./code-page.js');
  const { bytes, missing } = await encodeCodePage(text, encoding);
  if (missing.length > 0) {
    throw new FileError(
      'unencodable',
      `The file is in the encoding ${encoding}, which lacks: ${missing.join(' ')}. Write it without these ` +
        'characters, or convert the file to UTF-8 first.',
    );
  }
  return bytes;
}

interface UnicodeForm {
  mark: Buffer;
  /** Undefined when the bytes are not valid in this encoding. */
  decode(body: Buffer): string | undefined;
  encode(text: string): Buffer;
}

/** UTF-32LE comes before UTF-16LE, because its mark starts with that of UTF-16LE. */
const UNICODE: Record<string, UnicodeForm> = {
  'utf-8': {
    mark: Buffer.from([0xef, 0xbb, 0xbf]),
    decode: (body) => (isUtf8(body) && !body.includes(0) ? body.toString('utf8') : undefined),
    encode: (text) => Buffer.from(text, 'utf8'),
  },
  'utf-32le': utf32([0xff, 0xfe, 0x00, 0x00], { littleEndian: true }),
  'utf-32be': utf32([0x00, 0x00, 0xfe, 0xff], { littleEndian: false }),
  'utf-16le': {
    mark: Buffer.from([0xff, 0xfe]),
    decode: (body) => (body.length % 2 === 0 ? withoutNul(body.toString('utf16le')) : undefined),
    encode: (text) => Buffer.from(text, 'utf16le'),
  },
  'utf-16be': {
    mark: Buffer.from([0xfe, 0xff]),
    decode: (body) =>
      body.length % 2 === 0 ? withoutNul(Buffer.from(body).swap16().toString('utf16le')) : undefined,
    encode: (text) => Buffer.from(text, 'utf16le').swap16(),
  },
};

function decodeMarked(bytes: Buffer): DecodedText | undefined {
  for (const [encoding, form] of Object.entries(UNICODE)) {
    const { mark } = form;
    if (bytes.length < mark.length || mark.compare(bytes, 0, mark.length) !== 0) continue;
    const text = form.decode(bytes.subarray(mark.length));
    if (text !== undefined) return { text, format: { encoding, bom: true } };
  }
  return undefined;
}

function withoutNul(text: string): string | undefined {
  return text.includes('\0') ? undefined : text;
}

function utf32(mark: number[], { littleEndian }: { littleEndian: boolean }): UnicodeForm {
  const encode = (text: string) => {
    const points = [...text];
    const bytes = Buffer.alloc(points.length * 4);
    points.forEach((point, index) => {
      const value = point.codePointAt(0) ?? 0;
      if (littleEndian) bytes.writeUInt32LE(value, index * 4);
      else bytes.writeUInt32BE(value, index * 4);
    });
    return bytes;
  };
  const decode = (body: Buffer) => {
    if (body.length % 4 !== 0) return undefined;
    const pieces: string[] = [];
    for (let offset = 0; offset < body.length; offset += 4) {
      const value = littleEndian ? body.readUInt32LE(offset) : body.readUInt32BE(offset);
      // Surrogates are invalid in UTF-32 and could not be written back.
      if (value === 0 || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return undefined;
      pieces.push(String.fromCodePoint(value));
    }
    return pieces.join('');
  };
  return { mark: Buffer.from(mark), decode, encode };
}
