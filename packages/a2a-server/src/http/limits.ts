/** What one server takes on. Beyond it a client gets 413 or 429 and may try again. */
export interface ServerLimits {
  bodyBytes: number;
  /** Streams of events held open at the same time. */
  streams: number;
  /** Open connections. */
  clients: number;
  /** Turns that run at the same time; absent: the service has a number of its own. */
  runningTasks?: number;
  /** Tasks that are kept, those that are over included; absent: any number. */
  tasks?: number;
}

export const DEFAULT_LIMITS: ServerLimits = {
  bodyBytes: 10 * 1024 * 1024,
  streams: 2_000,
  clients: 4_000,
};

/** Times in milliseconds. */
export interface ServerTimes {
  /** For a request to arrive whole. */
  requestMs: number;
  /** Between signs of life on a quiet stream. */
  pingMs: number;
  /** A client that reads nothing for so long loses its stream, and may resume it. */
  stalledMs: number;
  /** After its last reader has gone, a turn may still be resumed for so long. */
  readerGraceMs: number;
}

export const DEFAULT_TIMES: ServerTimes = {
  requestMs: 60_000,
  pingMs: 15_000,
  stalledMs: 60_000,
  readerGraceMs: 5_000,
};
