/** Runs a checker that is a program of the user: JSON on stdin, the answer on stdout. Any failure denies the call. */
import { join } from 'node:path';
import type { Variables } from '../../platform/environment.js';
import { runProcess } from '../../platform/process/process-runner.js';
import { isStrictSurface, scrubEnvironment } from '../../platform/redaction/scrub-environment.js';
import { PolicyDecision } from '../../protocol/confirmation.js';
import { deny, type PolicyVerdict } from '../decision.js';
import { programProblem } from './usable.js';

export interface CheckerInput {
  toolCall: { name: string; args: Readonly<Record<string, unknown>> };
  context: { environment: { cwd: string; workspaces: readonly string[] }; history?: { turns: unknown[] } };
  config?: Readonly<Record<string, unknown>>;
}

const LIMIT_MS = 5_000;
const MAX_OUTPUT = 64 * 1024;

export async function runExternalChecker(
  directory: string,
  name: string,
  input: CheckerInput,
  variables: Variables,
  limitMs = LIMIT_MS,
): Promise<PolicyVerdict> {
  const file = join(directory, name);
  const fail = (why: string) => deny(`The safety checker "${name}" ${why}.`);
  const problem = programProblem(directory, name);
  if (problem !== undefined) return fail(problem);
  const result = await runProcess(file, [], {
    cwd: input.context.environment.cwd,
    env: scrubEnvironment(variables, { enabled: true, strict: isStrictSurface(variables) }),
    input: JSON.stringify({ protocolVersion: '1.0.0', ...input }),
    timeoutMs: limitMs,
    maxOutputBytes: MAX_OUTPUT,
  });
  if (result.error) return fail(`could not be started: ${result.error.message}`);
  if (result.endedBy) return fail(`did not answer within ${limitMs / 1000} s`);
  if (result.exitCode !== 0) return fail(`failed with ${result.signal ?? `exit code ${result.exitCode}`}`);
  return answerIn(result.stdout) ?? fail('gave an answer that makes no sense');
}

function answerIn(text: string): PolicyVerdict | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { decision, reason } = value as { decision?: unknown; reason?: unknown };
    const known = Object.values(PolicyDecision).find((item) => item === decision);
    return known && { decision: known, reason: typeof reason === 'string' ? reason : undefined };
  } catch {
    return undefined;
  }
}
