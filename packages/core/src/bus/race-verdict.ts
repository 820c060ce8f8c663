/** Waits for policy's verdict, with a timeout and until an abort. */
import { PolicyDecision } from '../protocol/confirmation.js';
import type { Verdict } from './message-bus.js';

const POLICY_WAIT_MS = 30_000;

/** A timeout counts as "ask", an abort as "deny". */
export function raceVerdict(verdict: Promise<Verdict>, signal: AbortSignal): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const done = (result: Verdict) => {
      settle();
      resolve(result);
    };
    const onAbort = () => done({ decision: PolicyDecision.DENY, reason: 'The request was cancelled.' });
    const timer = setTimeout(() => done({ decision: PolicyDecision.ASK_USER }), POLICY_WAIT_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    verdict.then(done, (error) => {
      settle();
      reject(error);
    });
  });
}
