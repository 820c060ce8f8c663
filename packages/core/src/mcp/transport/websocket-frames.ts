/** Frames of WebSocket (RFC 6455), without extensions. */
import { randomBytes } from 'node:crypto';

export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface Frame {
  isFinal: boolean;
  opcode: number;
  payload: Buffer;
}

/** A client masks everything it sends. */
export function encodeFrame(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | length])
      : length < 65_536
        ? Buffer.from([0x80 | opcode, 0x80 | 126, length >> 8, length & 255])
        : longHead(opcode, length);
  return Buffer.concat([head, mask, masked(payload, mask)]);
}

function longHead(opcode: number, length: number): Buffer {
  const head = Buffer.alloc(10);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** Collects bytes and gives whole frames. */
export class FrameReader {
  private pieces: Buffer[] = [];
  private size = 0;
  private needed = 2;

  /** @throws RangeError when a frame is larger than `limit` */
  constructor(private readonly limit: number) {}

  *push(chunk: Buffer): Generator<Frame> {
    this.pieces.push(chunk);
    this.size += chunk.length;
    while (this.size >= this.needed) {
      const bytes = this.pieces.length === 1 ? (this.pieces[0] ?? chunk) : Buffer.concat(this.pieces);
      this.pieces = [bytes];
      const head = headOf(bytes);
      if (!head) {
        this.needed = this.size + 1;
        return;
      }
      if (head.length > this.limit) throw new RangeError('frame too large');
      const end = head.start + head.length;
      if (bytes.length < end) {
        this.needed = end;
        return;
      }
      const rest = bytes.subarray(end);
      this.pieces = rest.length > 0 ? [rest] : [];
      this.size = rest.length;
      this.needed = 2;
      const payload = bytes.subarray(head.start, end);
      const { isFinal, opcode, mask } = head;
      yield { isFinal, opcode, payload: mask ? masked(payload, mask) : payload };
    }
  }
}

interface FrameHead {
  isFinal: boolean;
  opcode: number;
  /** Of the payload. */
  start: number;
  length: number;
  /** What clients send is masked. */
  mask?: Buffer;
}

/** Undefined: more bytes are needed. */
function headOf(bytes: Buffer): FrameHead | undefined {
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const isMasked = (second & 0x80) !== 0;
  const sizeBytes = short < 126 ? 0 : short === 126 ? 2 : 8;
  const start = 2 + sizeBytes + (isMasked ? 4 : 0);
  if (bytes.length < start) return undefined;
  const length =
    sizeBytes === 0 ? short : sizeBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return {
    isFinal: (first & 0x80) !== 0,
    opcode: first & 0x0f,
    start,
    length,
    ...(isMasked && { mask: bytes.subarray(start - 4, start) }),
  };
}

function masked(payload: Buffer, mask: Buffer): Buffer {
  const result = Buffer.allocUnsafe(payload.length);
  for (let index = 0; index < payload.length; index++)
    result[index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0);
  return result;
}
