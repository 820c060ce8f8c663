/** Questions of a sign-in for a remote agent or MCP server, as questions of the event stream. */
import type { EventStream } from '../bus/event-stream.js';
import type { Variables } from '../platform/environment.js';
import type { OAuthPrompts } from '../platform/oauth/types.js';
import { openInBrowser } from '../platform/process/open-browser.js';
import type { UserQuestion } from '../protocol/confirmation.js';

/** Undefined: no front end can answer. */
export function oauthPrompts(events: EventStream, env: Variables): OAuthPrompts | undefined {
  if (!events.canAnswer()) return undefined;
  const ask = async (question: UserQuestion, signal: AbortSignal): Promise<string | undefined> => {
    const reply = await events.ask({ kind: 'ask_user', questions: [question], asker: 'program' }, { signal });
    return reply.status === 'answered' ? reply.answer.answers['0'] : undefined;
  };
  return {
    confirm: async (service, host, signal) => {
      const question = `Sign in for ${service} at ${host}? Your browser opens there.`;
      return (await ask({ header: 'Sign in', type: 'yesno', question, isClosed: true }, signal)) === 'Yes';
    },
    showUrl: (service, url) => events.notice(`Sign in for ${service}: ${url}`, { isKept: true }),
    openBrowser: (url) => openInBrowser(url, env),
    askCode: (service, problem, signal) => {
      const how = `Open the address shown above to sign in for ${service}, then paste the code or the address you end at.`;
      const question = problem ? `${problem} ${how}` : how;
      return ask({ header: 'Sign in', type: 'text', question, placeholder: 'code or address' }, signal);
    },
  };
}
