/**
 * Joins a repeated answer to what was already shown of the first try. While the new text repeats the old one it
 * is held back, so the answer of a cut stream is not shown twice.
 */
export class ContentSplice {
  private shown = '';
  private shownPieces: string[] = [];
  /** How many letters of `shown` the repetition has given so far. */
  private repeated = 0;
  private repeating = false;

  /** What to show now. `diverged`: the shown text is void and `text` replaces it from its start. */
  add(text: string): { text: string; diverged: boolean } {
    if (!this.repeating) {
      this.shownPieces.push(text);
      return { text, diverged: false };
    }
    if (this.shown.startsWith(text, this.repeated)) {
      this.repeated += text.length;
      return { text: '', diverged: false };
    }
    this.repeating = false;
    const whole = this.shown.slice(0, this.repeated) + text;
    this.shownPieces = [whole];
    if (whole.startsWith(this.shown)) return { text: whole.slice(this.shown.length), diverged: false };
    return { text: whole, diverged: true };
  }

  restart(): void {
    // Text held back during a failed repetition was never shown; the longer text was.
    if (!this.repeating) this.shown = this.shownPieces.join('');
    this.repeated = 0;
    this.repeating = this.shown !== '';
    if (!this.repeating) this.shownPieces = [];
  }

  /** At the end: the whole repeated text if it is shorter than the shown one, so that it must replace it. */
  finish(): string | undefined {
    if (!this.repeating || this.repeated === this.shown.length) return undefined;
    return this.shown.slice(0, this.repeated);
  }
}
