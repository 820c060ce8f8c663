/** The types shared by completion sources, the completer and the list on the screen. */

export interface Suggestion {
  label: string;
  /** Replaces the range of the text. */
  value: string;
  description?: string;
  /** Enter inserts it and sends the line. */
  runs?: boolean;
}

export interface Suggestions {
  items: readonly Suggestion[];
  /** The range that an accepted suggestion replaces. */
  start: number;
  end: number;
  /** False: Enter sends the line as typed until the user selects a suggestion. */
  preselect?: boolean;
}

export interface CompletionRequest {
  text: string;
  cursor: number;
  /** The user pressed Tab, now or when the list was opened. */
  asked: boolean;
  /** Aborted when the text has changed. */
  signal: AbortSignal;
  /** Reports suggestions found so far. */
  onPartial(suggestions: Suggestions): void;
}

/** Returns undefined when the text is not for this source, so that the next is asked. Must return quickly. */
export interface CompletionSource {
  complete(request: CompletionRequest): Suggestions | undefined | Promise<Suggestions | undefined>;
}

export interface SuggestionsView {
  items: readonly Suggestion[];
  /** -1 when none is selected. */
  selected: number;
  isLoading: boolean;
  total: number;
}

export interface Accepted {
  text: string;
  cursor: number;
  /** Whether Enter sends the line. */
  submit: boolean;
}
