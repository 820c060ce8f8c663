/** What the strategies of `replace` take and return. */
import type { TextEdit } from '../line-ends.js';

export interface MatchRequest {
  /** All three with LF line ends. */
  content: string;
  oldText: string;
  newText: string;
  /** More than one place may be changed. */
  multiple: boolean;
}

export interface MatchResult {
  /** In order, not overlapping. */
  edits: TextEdit[];
  /** For the model, when the match was not literal. */
  note?: string;
}
