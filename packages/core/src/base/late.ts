/** A value that is set later, for parts that refer to each other. Reading it too early throws an error with its name. */
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
    if (!this.held) throw new Error(`${this.name} was used before it was set.`);
    return this.held.value;
  }
}
