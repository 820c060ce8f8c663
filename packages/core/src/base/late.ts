/** A value that one part needs before the part that makes it exists. Asking too early is a mistake that is named. */
export class Late<T> {
  private held: { value: T } | undefined;

  constructor(private readonly name: string) {}

  set(value: T): void {
    this.held = { value };
  }

  /** Undefined until it is set. */
  get ifSet(): T | undefined {
    return this.held?.value;
  }

  get value(): T {
    if (!this.held) throw new Error(`${this.name} was used before it was made.`);
    return this.held.value;
  }
}
