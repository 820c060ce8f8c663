/** Limits on what a remote agent may take of time and memory. */

export interface RemoteLimits {
  /** For the cards of all agents together, when they are loaded at the start. */
  startMs: number;
  /** For one card that is loaded when its agent is used. */
  cardMs: number;
  cardBytes: number;
  /** Until the answer begins, and between two parts of it. */
  silenceMs: number;
  /** For a whole answer. */
  totalMs: number;
  /** For everything that one answer sends. */
  answerBytes: number;
  /** Parts of one answer, whatever their size. */
  answerParts: number;
  /** What is kept of an answer; the rest is left out. */
  answerChars: number;
  /** For one response that is not an answer: errors, states. */
  replyBytes: number;
  /** For the request to cancel a task, which the user waits for. */
  cancelMs: number;
  /** Further messages after a complete one; agents should send one. */
  afterMessageMs: number;
}

export const REMOTE_LIMITS: RemoteLimits = {
  startMs: 10_000,
  cardMs: 30_000,
  cardBytes: 1024 * 1024,
  silenceMs: 30 * 60_000,
  totalMs: 2 * 60 * 60_000,
  answerBytes: 64 * 1024 * 1024,
  answerParts: 500_000,
  answerChars: 1_000_000,
  replyBytes: 8 * 1024 * 1024,
  cancelMs: 2_000,
  afterMessageMs: 10_000,
};
