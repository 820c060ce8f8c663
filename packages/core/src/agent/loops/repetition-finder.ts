/**
 * Finds repeating text in constant work per letter: a hash of all letters so far gives the hash of any stretch in
 * one step, and equal stretches are linked to each other, nearest first.
 */

export const CHUNK = 50;
export const WINDOW = 5_000;
const REPEATS = 10;
const MAX_AVERAGE_DISTANCE = 250;
const MAX_DISTINCT_BETWEEN = 5;
/** The greatest distance between the first and the last of ten repetitions. */
export const REPETITION_SPAN = MAX_AVERAGE_DISTANCE * (REPEATS - 1);
/** Patterns this short are drawing, not prose (dotted leaders, rules, padding): each stretch counts once. */
const DRAWN_PERIOD = 4;

/** A power of two above the window, so that positions wrap with a mask. */
const RING = 8_192;
const MASK = RING - 1;
const BASE = 0x01000193;

export class RepetitionFinder {
  /** Letters seen. */
  private end = 0;
  private hash = 0;
  /** By position: the letter, the hash of all up to it, the hash of the chunk that ends here, ... */
  private readonly letters = new Uint16Array(RING);
  private readonly hashes = new Int32Array(RING);
  private readonly chunks = new Int32Array(RING);
  /** ... how many equal chunks are linked up to here, and where the one before ends (0: nowhere). */
  private readonly counts = new Int32Array(RING);
  private readonly before = new Int32Array(RING);
  /** The links of one bucket of chunk hashes: its latest position, and by position the one before. */
  private readonly latest = new Int32Array(RING);
  private readonly older = new Int32Array(RING);
  private readonly powers = powers();
  /** Hashes of the different texts between equal chunks, while they are counted. */
  private readonly between = new Int32Array(MAX_DISTINCT_BETWEEN + 1);

  clear(): void {
    this.end = 0;
    this.hash = 0;
    this.latest.fill(0);
  }

  /** The repeating text, as soon as it is found. */
  add(text: string): string | undefined {
    for (let i = 0; i < text.length; i++) {
      const letter = text.charCodeAt(i);
      const end = ++this.end;
      this.hash = (Math.imul(this.hash, BASE) + letter + 1) | 0;
      this.letters[end & MASK] = letter;
      this.hashes[end & MASK] = this.hash;
      if (end >= CHUNK && this.link(end) >= REPEATS && this.isRepetition(end)) {
        return this.repeatedText(end);
      }
    }
    return undefined;
  }

  /** Links the chunk that ends here to its equals. @returns how many there are now */
  private link(end: number): number {
    const chunk = this.hashOf(end - CHUNK, end);
    const bucket = Math.imul(chunk, 0x9e3779b1) >>> 19;
    const oldest = Math.max(CHUNK, end - WINDOW + CHUNK);
    const latest = this.latest[bucket] ?? 0;
    let equal = latest;
    while (equal >= oldest && this.chunks[equal & MASK] !== chunk) equal = this.older[equal & MASK] ?? 0;
    const isRepeated = equal >= oldest;
    if (isRepeated && end - equal < CHUNK && this.isDrawn(end)) return 0;
    const slot = end & MASK;
    this.chunks[slot] = chunk;
    this.older[slot] = latest;
    this.latest[bucket] = end;
    this.before[slot] = isRepeated ? equal : 0;
    const count = isRepeated ? (this.counts[equal & MASK] ?? 0) + 1 : 1;
    this.counts[slot] = count;
    return count;
  }

  private isDrawn(end: number): boolean {
    for (let period = 1; period <= DRAWN_PERIOD; period++) {
      if (this.hashOf(end - CHUNK, end - period) === this.hashOf(end - CHUNK + period, end)) return true;
    }
    return false;
  }

  /** True: the last ten are near each other, and the text between them is mostly the same. */
  private isRepetition(end: number): boolean {
    let distinct = 0;
    let position = end;
    for (let i = 1; i < REPEATS; i++) {
      const previous = this.before[position & MASK] ?? 0;
      if (previous === 0 || end - previous > REPETITION_SPAN) return false;
      if (this.isNew(this.hashOf(previous, position), distinct)) distinct++;
      if (distinct > MAX_DISTINCT_BETWEEN) return false;
      position = previous;
    }
    return true;
  }

  /** Keeps the hash unless it is kept already. A `Set` would cost more than all the rest. */
  private isNew(hash: number, kept: number): boolean {
    for (let i = 0; i < kept; i++) if (this.between[i] === hash) return false;
    this.between[kept] = hash;
    return true;
  }

  private repeatedText(end: number): string {
    const from = Math.min(this.before[end & MASK] ?? 0, end - CHUNK);
    let text = '';
    for (let position = from + 1; position <= end; position++) {
      text += String.fromCharCode(this.letters[position & MASK] ?? 0);
    }
    return text;
  }

  /** Hash of the letters after `from` up to `to`. */
  private hashOf(from: number, to: number): number {
    const upTo = this.hashes[to & MASK] ?? 0;
    const without = from === 0 ? 0 : (this.hashes[from & MASK] ?? 0);
    return (upTo - Math.imul(without, this.powers[to - from] ?? 0)) | 0;
  }
}

/** Powers of the base, for every distance used. */
function powers(): Int32Array {
  const list = new Int32Array(MAX_AVERAGE_DISTANCE * REPEATS + 1);
  list[0] = 1;
  for (let i = 1; i < list.length; i++) list[i] = Math.imul(list[i - 1] ?? 1, BASE);
  return list;
}
