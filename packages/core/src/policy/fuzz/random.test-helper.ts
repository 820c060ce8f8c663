/** Random choices that are the same in every run with the same seed. */

export class Choices {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** From 0 to below 1. */
  number(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  }

  /** True in this share of the cases. */
  chance(share: number): boolean {
    return this.number() < share;
  }

  below(limit: number): number {
    return Math.floor(this.number() * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** From `least` to `most` results. */
  some<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make);
  }
}
