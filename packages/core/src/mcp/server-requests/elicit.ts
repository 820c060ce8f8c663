/** A server asks the user for input: a form, or an address to open. Without a user to ask, it is declined. */
import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import { messageOf, UserError } from '../../base/errors.js';
import type { EventStream } from '../../bus/event-stream.js';
import { createLog } from '../../platform/log.js';
import type { ElicitationQuestion } from '../../protocol/elicitation.js';
import { checkedForm } from './check-form.js';
import { oneAtATime } from './one-at-a-time.js';
import { readForm } from './read-form.js';

const log = createLog('mcp');
const MAX_MESSAGE = 4_000;
const MAX_URL = 4_000;

class ElicitationError extends UserError {
  override readonly name = 'ElicitationError';
}

export function elicitHandler(events: Pick<EventStream, 'ask'>) {
  return oneAtATime(
    async (
      server: { name: string },
      params: ElicitRequestParams,
      signal: AbortSignal,
    ): Promise<ElicitResult> => {
      const question = questionOf(server.name, params);
      const reply = await events.ask(question, { signal });
      if (reply.status === 'unanswerable') return { action: 'decline' };
      if (reply.status === 'withdrawn') return { action: 'cancel' };
      const { answer } = reply;
      if (answer.action !== 'accept') return { action: answer.action };
      if (question.mode === 'url') return { action: 'accept' };
      const content = checkedForm(question.fields, answer.content ?? {});
      if (typeof content !== 'string') return { action: 'accept', content };
      // The front end checks before it answers; this one did not.
      log.warn(`${server.name}: an answer does not fit the form`, content);
      return { action: 'cancel' };
    },
  );
}

/** @throws ElicitationError for what cannot be asked; the server gets it as the error of its request */
function questionOf(serverName: string, params: ElicitRequestParams): ElicitationQuestion {
  const base = {
    kind: 'mcp_elicitation',
    serverName,
    message: params.message.slice(0, MAX_MESSAGE),
  } as const;
  if (params.mode === 'url') return { ...base, mode: 'url', url: addressOf(params.url) };
  const fields = readForm(params.requestedSchema);
  if (typeof fields === 'string') throw new ElicitationError(`The form cannot be shown: ${fields}.`);
  return { ...base, mode: 'form', fields };
}

/** Other schemes could start programs; credentials in an address hide its host. */
function addressOf(text: string): string {
  const refuse = (why: string) => new ElicitationError(`The address cannot be opened: ${why}.`);
  if (text.length > MAX_URL) throw refuse('it is too long');
  let url: URL;
  try {
    url = new URL(text);
  } catch (error) {
    throw refuse(messageOf(error));
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse('only http and https are supported');
  if (url.username !== '' || url.password !== '') throw refuse('it contains credentials');
  return url.href;
}
