/** What the user types while the agent works: kept until the model can be told, between two of its turns. */
export class Steering {
  private readonly hints: string[] = [];

  add(text: string): void {
    if (text.trim() !== '') this.hints.push(text);
  }

  /** All that has come since the last call, as one text; undefined: nothing. */
  take(): string | undefined {
    return this.hints.length === 0 ? undefined : this.hints.splice(0).join('\n\n');
  }
}
