/** Errors with an addressee. What ends the program also carries its exit code. */

export type Addressee = 'model' | 'user' | 'developer';

export interface AgentErrorOptions {
  addressee: Addressee;
  message: string;
  cause?: unknown;
}

export class AgentError extends Error {
  readonly addressee: Addressee;
  constructor(
    readonly code: string,
    { addressee, message, cause }: AgentErrorOptions,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AgentError';
    this.addressee = addressee;
  }
}

/** Ends the program with a documented exit code. One line for the user. */
export abstract class FatalError extends AgentError {
  abstract readonly exitCode: number;
  constructor(code: string, message: string, cause?: unknown) {
    super(code, { addressee: 'user', message, cause });
    this.name = new.target.name;
  }
}

export class FatalAuthenticationError extends FatalError {
  readonly exitCode = 41;
  constructor(message: string, cause?: unknown) {
    super('authentication', message, cause);
    this.name = 'FatalAuthenticationError';
  }
}

export class FatalInputError extends FatalError {
  readonly exitCode = 42;
  constructor(message: string, cause?: unknown) {
    super('input', message, cause);
    this.name = 'FatalInputError';
  }
}

export class FatalSandboxError extends FatalError {
  readonly exitCode = 44;
  constructor(message: string, cause?: unknown) {
    super('sandbox', message, cause);
    this.name = 'FatalSandboxError';
  }
}

export class FatalConfigError extends FatalError {
  readonly exitCode = 52;
  constructor(message: string, cause?: unknown) {
    super('config', message, cause);
    this.name = 'FatalConfigError';
  }
}

export class FatalTurnLimitedError extends FatalError {
  readonly exitCode = 53;
  constructor(message: string, cause?: unknown) {
    super('turn_limit', message, cause);
    this.name = 'FatalTurnLimitedError';
  }
}

export class FatalBudgetError extends FatalError {
  readonly exitCode = 53;
  constructor(message: string, cause?: unknown) {
    super('budget', message, cause);
    this.name = 'FatalBudgetError';
  }
}

export class FatalToolExecutionError extends FatalError {
  readonly exitCode = 54;
  constructor(message: string, cause?: unknown) {
    super('tool_execution', message, cause);
    this.name = 'FatalToolExecutionError';
  }
}

export class FatalUntrustedWorkspaceError extends FatalError {
  readonly exitCode = 55;
  constructor(message: string, cause?: unknown) {
    super('untrusted_workspace', message, cause);
    this.name = 'FatalUntrustedWorkspaceError';
  }
}

export class FatalCancellationError extends FatalError {
  readonly exitCode = 130;
  constructor(message: string, cause?: unknown) {
    super('cancelled', message, cause);
    this.name = 'FatalCancellationError';
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a Node error (`ENOENT`, …), wherever it hangs. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : undefined;
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || codeOf(error) === 'ABORT_ERR');
}

/** The last answer does not fit `--output-schema`, also after repairs. */
export class OutputSchemaError extends Error {
  constructor(
    repairs: number,
    readonly problems: readonly string[],
  ) {
    super(
      `The answer does not fit the schema of --output-schema, also after ${repairs} repairs: ${problems.join('; ')}`,
    );
    this.name = 'OutputSchemaError';
  }
}
