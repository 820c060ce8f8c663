/**
 * SHA-256 of a short text, by hand: every recorded session names the hash of its folder, and `node:crypto` takes
 * 3.5 ms to load (measured in `platform/random.ts`). For anything longer use `node:crypto`.
 */

const CONSTANTS = roundConstants();

export function sha256Hex(text: string): string {
  const bytes = padded(Buffer.from(text, 'utf8'));
  const state = Uint32Array.of(
    0x6a09e667,
    0xbb67ae85,
    0x3c6ef372,
    0xa54ff53a,
    0x510e527f,
    0x9b05688c,
    0x1f83d9ab,
    0x5be0cd19,
  );
  const words = new Uint32Array(64);
  for (let offset = 0; offset < bytes.length; offset += 64) addBlock(state, words, bytes, offset);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** A one bit, zeros, and the length in bits. */
function padded(content: Buffer): Buffer {
  const size = Math.ceil((content.length + 9) / 64) * 64;
  const bytes = Buffer.alloc(size);
  content.copy(bytes);
  bytes[content.length] = 0x80;
  bytes.writeUInt32BE(Math.floor(content.length / 0x20000000), size - 8);
  bytes.writeUInt32BE((content.length * 8) >>> 0, size - 4);
  return bytes;
}

function addBlock(state: Uint32Array, words: Uint32Array, bytes: Buffer, offset: number): void {
  const at = (list: Uint32Array, index: number) => list[index] as number;
  for (let index = 0; index < 16; index++) words[index] = bytes.readUInt32BE(offset + index * 4);
  for (let index = 16; index < 64; index++) {
    const [x, y] = [at(words, index - 15), at(words, index - 2)];
    const first = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const second = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words[index] = at(words, index - 16) + first + at(words, index - 7) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index++) {
    const sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const next = (h + sum + ((e & f) ^ (~e & g)) + at(CONSTANTS, index) + at(words, index)) >>> 0;
    const other = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + next) >>> 0, c, b, a, (next + other + majority) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] = at(state, index) + value;
  });
}

function turned(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}

/** Fractions of the cube roots of the first 64 primes. */
function roundConstants(): Uint32Array {
  const constants: number[] = [];
  for (let candidate = 2; constants.length < 64; candidate++) {
    let isPrime = true;
    for (let factor = 2; factor * factor <= candidate; factor++)
      if (candidate % factor === 0) isPrime = false;
    if (isPrime) constants.push(((Math.cbrt(candidate) % 1) * 2 ** 32) >>> 0);
  }
  return Uint32Array.from(constants);
}
