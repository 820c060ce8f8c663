/** What sources of suggestions, the completer and the drawing hand to each other. */

export interface Suggestion {
  label: string;
  /** Takes the place of the range. */
  value: string;
  description?: string;
  /** Enter does not only insert it, but sends the line. */
  runs?: boolean;
}

export interface Suggestions {
  items: readonly Suggestion[];
  /** The part of the text that an accepted one replaces. */
  start: number;
  end: number;
  /** False: Enter sends the line as typed until the user has chosen one. */
  preselect?: boolean;
}

export interface CompletionRequest {
  text: string;
  cursor: number;
  /** The user asked (Tab), now or when the list came up. */
  asked: boolean;
  /** Ends when the text has changed. */
  signal: AbortSignal;
  /** What is known so far; more will come. */
  onPartial(suggestions: Suggestions): void;
}

/** Undefined at once: nothing of its kind stands here, the next source is asked. Must not take long before it returns. */
export interface CompletionSource {
  complete(request: CompletionRequest): Suggestions | undefined | Promise<Suggestions | undefined>;
}

export interface SuggestionsView {
  items: readonly Suggestion[];
  /** -1: none. */
  selected: number;
  isLoading: boolean;
  total: number;
}

export interface Accepted {
  text: string;
  cursor: number;
  /** By Enter: the line is to be sent. */
  submit: boolean;
}
