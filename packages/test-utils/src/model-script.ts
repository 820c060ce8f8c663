/** The steps of a scripted model answer: what is sent, when, and how it fails. */

/** A streamed chunk of the Gemini REST API; loosely typed on purpose, to send invalid data too. */
export type Chunk = Record<string, unknown>;

export interface UsageCounts {
  promptTokenCount?: number;
  candidatesTokenCount?: number;
  cachedContentTokenCount?: number;
  thoughtsTokenCount?: number;
  toolUsePromptTokenCount?: number;
  totalTokenCount?: number;
}

/** One thing the server does while answering; lists and generators of them may be nested. */
export type Step =
  | { do: 'parts'; parts: Chunk[] }
  | { do: 'finish'; reason: string; message?: string }
  | { do: 'usage'; usage: UsageCounts }
  | { do: 'version'; modelVersion: string }
  | { do: 'chunk'; chunk: Chunk }
  | { do: 'bytes'; bytes: Buffer }
  | { do: 'pieces'; size: number; steps: Script }
  | { do: 'respond'; status: number; headers: Record<string, string>; body: string }
  | { do: 'content_type'; contentType: string }
  | { do: 'delay'; ms: number }
  | { do: 'wait'; until: Promise<unknown> }
  | { do: 'cut' }
  | { do: 'silence' };

export type Script = Iterable<Step | Script>;

export const DEFAULT_USAGE: UsageCounts = {
  promptTokenCount: 10,
  candidatesTokenCount: 5,
  totalTokenCount: 15,
};

/** Visible text, one chunk. */
export function text(value: string): Step {
  return { do: 'parts', parts: [{ text: value }] };
}

/** Visible text in several chunks; a generator is read only as fast as the client takes the bytes. */
export function chunks(values: Iterable<string>): Script {
  return {
    *[Symbol.iterator]() {
      for (const value of values) yield text(value);
    },
  };
}

export interface CallOptions {
  id?: string;
  thoughtSignature?: string;
}

/** A function call, one chunk. Without an id the program has to make one up. */
export function callTool(name: string, args: unknown = {}, options: string | CallOptions = {}): Step {
  const { id, thoughtSignature } = typeof options === 'string' ? { id: options } : options;
  const functionCall = { ...(id === undefined ? {} : { id }), name, args };
  return { do: 'parts', parts: [{ functionCall, ...(thoughtSignature ? { thoughtSignature } : {}) }] };
}

/** Several parts in one chunk: `together(text('a'), callTool('glob'))`. */
export function together(...steps: Step[]): Step {
  return { do: 'parts', parts: steps.flatMap((step) => (step.do === 'parts' ? step.parts : [])) };
}

export function thought(value: string): Step {
  return { do: 'parts', parts: [{ text: value, thought: true }] };
}

/** Ends the answer with this reason instead of `STOP`. */
export function finish(reason: string, message?: string): Step {
  return { do: 'finish', reason, message };
}

/** Token counts reported with the last chunk. */
export function usage(counts: UsageCounts): Step {
  return { do: 'usage', usage: counts };
}

/** The model version the server claims. */
export function version(modelVersion: string): Step {
  return { do: 'version', modelVersion };
}

/** The prompt itself was refused: feedback, no candidate. */
export function blocked(blockReason: string): Step {
  return { do: 'chunk', chunk: { promptFeedback: { blockReason }, usageMetadata: DEFAULT_USAGE } };
}

/** `STOP` and nothing else. */
export function emptyStop(): Step {
  return finish('STOP');
}

export function malformedCall(message = 'Malformed function call: print(broken('): Step {
  return finish('MALFORMED_FUNCTION_CALL', message);
}

/** A chunk exactly as given; nothing is added after it. */
export function chunk(value: Chunk): Step {
  return { do: 'chunk', chunk: value };
}

export interface ApiErrorOptions {
  /** `google.rpc.RetryInfo`, e.g. `'0.05s'`. */
  retryDelay?: string;
  /** The header. */
  retryAfter?: string;
  /** The symbolic status, e.g. `RESOURCE_EXHAUSTED`. */
  status?: string;
  details?: Chunk[];
}

/** An HTTP error response in Google's shape. */
export function apiError(status: number, message: string, options: ApiErrorOptions = {}): Step {
  return {
    do: 'respond',
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(options.retryAfter === undefined ? {} : { 'retry-after': options.retryAfter }),
    },
    body: JSON.stringify(errorBody(status, message, options)),
  };
}

/** HTTP 200 whose stream carries an error object. */
export function errorInside(status: number, message: string, options: ApiErrorOptions = {}): Step {
  return chunk(errorBody(status, message, options));
}

/** A whole response of any status and body. */
export function respond(status: number, body: string, headers: Record<string, string> = {}): Step {
  return { do: 'respond', status, headers, body };
}

/** HTTP 200 that is a web page, as captive portals send it. */
export function wrongContentType(contentType = 'text/html', body = '<html><body>Log in</body></html>'): Step {
  return respond(200, body, { 'content-type': contentType });
}

/** The stream follows as usual, but announced as something else. */
export function announcedAs(contentType: string): Step {
  return { do: 'content_type', contentType };
}

export function delay(ms: number): Step {
  return { do: 'delay', ms };
}

/** Holds the answer until the promise settles. */
export function waitUntil(until: Promise<unknown>): Step {
  return { do: 'wait', until };
}

/** Destroys the connection here. */
export function cut(): Step {
  return { do: 'cut' };
}

/** Sends nothing more and keeps the connection open until the client or the server closes it. */
export function silence(): Step {
  return { do: 'silence' };
}

/** Raw bytes between the events. */
export function raw(bytes: string | Uint8Array): Step {
  return { do: 'bytes', bytes: Buffer.from(bytes) };
}

/** The same events, but written in pieces of `size` bytes: cuts characters and JSON tokens in two. */
export function pieces(size: number, ...steps: (Step | Script)[]): Step {
  return { do: 'pieces', size, steps };
}

/** One SSE event. */
export function encodeEvent(value: Chunk): Buffer {
  return Buffer.from(`data: ${JSON.stringify(value)}\r\n\r\n`);
}

function errorBody(status: number, message: string, options: ApiErrorOptions): Chunk {
  const details = [...(options.details ?? [])];
  if (options.retryDelay !== undefined) {
    details.push({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: options.retryDelay });
  }
  const symbol = options.status ?? STATUS_NAMES[status];
  return {
    error: {
      code: status,
      message,
      ...(symbol ? { status: symbol } : {}),
      ...(details.length > 0 ? { details } : {}),
    },
  };
}

const STATUS_NAMES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};
