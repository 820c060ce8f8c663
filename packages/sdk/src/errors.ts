/** The errors of the SDK. */

/** The prompt could not be answered: sign-in, network, model, settings, or a tool that threw. */
export class GeminiCliError extends Error {
  override readonly name: string = 'GeminiCliError';
  /** Class of the cause, e.g. `ApiError`, `FatalAuthenticationError`. */
  readonly code: string;
  /** HTTP status, if a server refused. */
  readonly status?: number;

  constructor(
    message: string,
    { code, status, cause }: { code: string; status?: number | undefined; cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    if (status !== undefined) this.status = status;
  }

  /** Any failure as one of these; `cause` is the original. */
  static from(error: unknown): GeminiCliError {
    return asGeminiCliError(error);
  }
}

/** Outside of the class: a class that names itself loses its name in the build, and stack traces show it. */
function asGeminiCliError(error: unknown): GeminiCliError {
  if (error instanceof GeminiCliError) return error;
  if (!(error instanceof Error)) return new GeminiCliError(String(error), { code: 'ERROR', cause: error });
  const status = 'status' in error && typeof error.status === 'number' ? error.status : undefined;
  const own = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return new GeminiCliError(error.message, { code: own ?? error.name, status, cause: error });
}

/** A prompt is running in this session: wait for it, cancel it, or use another session. */
export class SessionBusyError extends GeminiCliError {
  override readonly name = 'SessionBusyError';
  constructor(sessionId: string) {
    super(`Session ${sessionId} is answering a prompt. Wait for it, or call cancel() first.`, {
      code: 'SESSION_BUSY',
    });
  }
}

/** The session or its agent was closed. */
export class SessionClosedError extends GeminiCliError {
  override readonly name = 'SessionClosedError';
  constructor(sessionId: string) {
    super(`Session ${sessionId} is closed.`, { code: 'SESSION_CLOSED' });
  }
}

/** A rule, the workspace or the sandbox does not allow it. */
export class PolicyError extends GeminiCliError {
  override readonly name = 'PolicyError';
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'POLICY', cause });
  }
}

/** Thrown by a tool: the model reads the message and can react. Any other error ends the prompt. */
export class ModelVisibleError extends Error {
  override readonly name = 'ModelVisibleError';
}

/** Thrown by a hook that runs as a command: the reason goes to stderr, and the exit code is 2, which blocks. */
export class HookBlockError extends Error {
  override readonly name = 'HookBlockError';
}
