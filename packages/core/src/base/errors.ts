/** Error classes. Each has an addressee (the model, the user or the developer); only `routeError` acts on it. */

export type Addressee = 'model' | 'user' | 'developer';

export interface AppErrorOptions {
  /** Distinguishes errors of one class for callers. */
  code?: string;
  cause?: unknown;
}

/** Each subclass sets `name`, because the build shortens class names. */
export abstract class AppError extends Error {
  abstract readonly addressee: Addressee;
  declare readonly code?: string;
  /** `error.type` of the JSON formats, if it is not the name. */
  declare readonly reportedType?: string;

  constructor(message: string, { code, cause }: AppErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    if (code !== undefined) this.code = code;
  }
}

/** The answer to a failed tool call: what was wrong, and what to do instead. */
export class ModelError extends AppError {
  override readonly name: string = 'ModelError';
  readonly addressee = 'model';
}

/** One line for the user: what happened, where, and what to do. */
export class UserError extends AppError {
  override readonly name: string = 'UserError';
  readonly addressee = 'user';
}

/** For our own functions to catch; an uncaught one is a bug. */
export class DeveloperError extends AppError {
  override readonly name: string = 'DeveloperError';
  readonly addressee = 'developer';
}

/** Ends the program without a message, because another process has reported already. */
export abstract class QuietExit extends DeveloperError {
  abstract readonly exitCode: number;
}

/** Ends the program, even from within a tool, with a documented exit code. */
export abstract class FatalError extends UserError {
  abstract readonly exitCode: number;
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

export class FatalAuthenticationError extends FatalError {
  override readonly name: string = 'FatalAuthenticationError';
  readonly exitCode = 41;
}

export class FatalInputError extends FatalError {
  override readonly name = 'FatalInputError';
  readonly exitCode = 42;
}

export class FatalSandboxError extends FatalError {
  override readonly name = 'FatalSandboxError';
  readonly exitCode = 44;
}

export class FatalConfigError extends FatalError {
  override readonly name = 'FatalConfigError';
  readonly exitCode = 52;
}

export class FatalTurnLimitedError extends FatalError {
  static readonly type = 'FatalTurnLimitedError';
  override readonly name = FatalTurnLimitedError.type;
  readonly exitCode = 53;
}

export class FatalBudgetError extends FatalError {
  override readonly name = 'FatalBudgetError';
  readonly exitCode = 53;
}

export class FatalToolExecutionError extends FatalError {
  override readonly name = 'FatalToolExecutionError';
  readonly exitCode = 54;
}

export class FatalUntrustedWorkspaceError extends FatalError {
  override readonly name = 'FatalUntrustedWorkspaceError';
  readonly exitCode = 55;
}

export class FatalCancellationError extends FatalError {
  override readonly name = 'FatalCancellationError';
  constructor(
    message: string,
    cause?: unknown,
    /** 128 plus the number of the signal. */
    readonly exitCode = 130,
  ) {
    super(message, cause);
  }
}

/** `error.type` of a model response that is empty, blocked or incomplete. */
export const INVALID_STREAM = 'INVALID_STREAM';

export class OutputSchemaError extends UserError {
  override readonly name = 'OutputSchemaError';
  override readonly reportedType = 'OUTPUT_SCHEMA';
  constructor(
    repairs: number,
    readonly problems: readonly string[],
  ) {
    super(`The answer does not match --output-schema, even after ${repairs} repairs: ${problems.join('; ')}`);
  }
}

export interface ErrorRoute {
  /** `model`: the answer to the failed call. `user`: a line, and the program ends. `none`: it ends without one. */
  to: 'model' | 'user' | 'none';
  message: string;
  exitCode: number;
  /** The stack is logged, too. */
  isBug: boolean;
}

/**
 * Decides where to report an error that ended a tool call or the whole program. Every call needs an answer, so an error
 * of a call goes to the model, unless it ends the program.
 */
export function routeError(error: unknown, ended: 'call' | 'program'): ErrorRoute {
  const message = messageOf(error);
  if (error instanceof QuietExit) return { to: 'none', message, exitCode: error.exitCode, isBug: false };
  if (error instanceof FatalError) return { to: 'user', message, exitCode: error.exitCode, isBug: false };
  const isBug = !(error instanceof AppError) || error.addressee === 'developer';
  return { to: ended === 'call' ? 'model' : 'user', message, exitCode: 1, isBug };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Only for reports and telemetry; code must not branch on it. */
export function typeOf(error: unknown): string {
  if (error instanceof AppError) return error.reportedType ?? error.name;
  return error instanceof Error && error.name ? error.name : 'Error';
}

/** The `code` of a Node error (`ENOENT`, …). */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : undefined;
}

/** Whether the error is a cancellation: of this signal, or of another, which only name or code of the error tell. */
export function isAbort(error: unknown, signal?: AbortSignal): boolean {
  if (signal?.aborted) return true;
  return error instanceof Error && (error.name === 'AbortError' || codeOf(error) === 'ABORT_ERR');
}

/** The error of `AbortSignal.timeout`. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
