/** The end of a call: what the agent sent, and how it ended in the words of the program. */
import type { RemoteAnswer } from '../../types.js';
import type { Answer } from './answer.js';

/** @param failure why the request broke off; it may have words of the server */
export function resultOf(name: string, answer: Answer, failure: string | undefined): RemoteAnswer {
  const text = [answer.text(), failure].filter(Boolean).join('\n\n');
  if (failure !== undefined)
    return { text, ending: `The call of the remote agent ${name} failed.`, isError: true };
  switch (answer.phase) {
    case 'input-required':
      return {
        text,
        ending: `The remote agent ${name} waits for input. Invoke it again with the answer to continue the task.`,
        isError: false,
      };
    case 'auth-required':
      return {
        text,
        ending:
          `The remote agent ${name} waits for an authorization that the user must give, as it says above. ` +
          'Tell the user; invoke it again when it is done.',
        isError: false,
      };
    case 'failed':
      return { text, ending: `The task of the remote agent ${name} failed.`, isError: true };
    case 'rejected':
      return { text, ending: `The remote agent ${name} rejected the task.`, isError: true };
    case 'canceled':
      return {
        text,
        ending: `The task of the remote agent ${name} was cancelled on the server.`,
        isError: true,
      };
    default:
      return {
        text,
        isError: false,
        ...(answer.isEmpty && { ending: `The remote agent ${name} sent no text.` }),
      };
  }
}
