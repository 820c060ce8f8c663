/** An account that Google refuses until the user has verified it: the user is asked while the engine starts. */
import { FatalAuthenticationError } from '../base/errors.js';
import type { EventStream } from '../bus/event-stream.js';

const NOT_VERIFIED = 'VALIDATION_REQUIRED';

/** @returns true: the user has verified the account, so the sign-in may be tried again */
export async function isAccountVerified(
  error: unknown,
  events: EventStream,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(error instanceof FatalAuthenticationError)) return false;
  const { IneligibleAccountError } = await import('../model/code-assist/onboarding.js');
  if (!(error instanceof IneligibleAccountError)) return false;
  const { message, link } = error.reasons.find(({ code }) => code === NOT_VERIFIED) ?? {};
  if (message === undefined || !link?.startsWith('https://')) return false;
  const question = { kind: 'account_problem', problem: 'verification', reason: message, link } as const;
  const reply = await events.ask(question, { signal });
  return reply.status === 'answered' && reply.answer === 'retry';
}
