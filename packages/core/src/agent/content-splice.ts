/**
 * Joins a repeated answer to what was already shown of the first try. As long as the new text repeats the
 * old one it is held back; so a cut stream that is asked for again is not shown twice.
 */
export class ContentSplice {
  private shown = '';
  private shownPieces: string[] = [];
  private repeated = '';
  private repeating = false;

  /** What to show now. `diverged`: the shown text is void and `text` replaces it from its start. */
  add(text: string): { text: string; diverged: boolean } {
    if (!this.repeating) {
      this.shownPieces.push(text);
      return { text, diverged: false };
    }
    this.repeated += text;
    if (this.shown.startsWith(this.repeated)) return { text: '', diverged: false };
    this.repeating = false;
    if (this.repeated.startsWith(this.shown)) {
      const rest = this.repeated.slice(this.shown.length);
      this.shownPieces = [this.repeated];
      return { text: rest, diverged: false };
    }
    this.shownPieces = [this.repeated];
    return { text: this.repeated, diverged: true };
  }

  /** The answer is asked for again. */
  restart(): void {
    // Held back text of a failed repetition never reached the screen; the longer one did.
    if (!this.repeating) this.shown = this.shownPieces.join('');
    this.repeated = '';
    this.repeating = this.shown !== '';
    if (!this.repeating) this.shownPieces = [];
  }

  /** At the end: the whole repeated text if it is shorter than what was shown, and so differs from it. */
  finish(): string | undefined {
    if (!this.repeating || this.repeated === this.shown) return undefined;
    return this.repeated;
  }
}
