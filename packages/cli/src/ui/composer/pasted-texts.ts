/** Remembers pasted texts of this session with their labels, so that the conversation shows the labels as well. */

/** The newest are remembered; each text is in the conversation anyway. */
const REMEMBERED = 50;

export class PastedTexts {
  /** Labels by text: two pastes may have had the same label. */
  private readonly labels = new Map<string, string>();

  remember(hidden: ReadonlyMap<string, string>): void {
    for (const [label, text] of hidden) {
      this.labels.delete(text);
      this.labels.set(text, label);
    }
    for (const text of this.labels.keys()) {
      if (this.labels.size <= REMEMBERED) break;
      this.labels.delete(text);
    }
  }

  /** The text with labels in place of what was pasted. */
  folded(text: string): string {
    let shown = text;
    // A paste may contain an earlier one, so the longest come first.
    const known = [...this.labels].sort(([one], [other]) => other.length - one.length);
    for (const [pasted, label] of known) {
      if (pasted.length <= shown.length && shown.includes(pasted)) shown = shown.split(pasted).join(label);
    }
    return shown;
  }
}
