import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAgentServer, type TestServer } from '../agents/remote/a2a-server.test-helper.js';
import { remoteAgent } from '../agents/remote/remote-agents.test-helper.js';
import { EventStream } from '../bus/event-stream.js';
import { systemClock } from '../platform/clock.js';
import { environmentOf } from '../platform/environment.js';
import {
  PUBLIC_CLIENT,
  signInInBrowser,
  startOidcServer,
} from '../platform/oauth/oidc-server.test-helper.js';
import { Redactor } from '../platform/redaction/redact.js';
import { composeRemoteAgents } from './compose-remote-agents.js';

const never = new AbortController().signal;
let home: string;
let server: TestServer;

beforeEach(async () => {
  home = mkdtempSync('/tmp/remote-agents-');
  server = await startAgentServer();
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

function compose(events = new EventStream()) {
  const notices: string[] = [];
  const redactor = new Redactor();
  const variables = { HOME: home, GEMINI_CLI_HOME: home, GEMINI_FORCE_FILE_STORAGE: 'true', NO_BROWSER: '1' };
  const agents = composeRemoteAgents({
    environment: environmentOf(variables, home),
    clock: systemClock,
    events,
    redactor,
    notice: (message) => notices.push(message),
  });
  return { agents, notices, redactor };
}

describe('the remote agents of a project', () => {
  it('are described by their cards once these are loaded, and tell which could not be', async () => {
    const { agents, notices } = compose();
    const good = remoteAgent({ agentCardUrl: server.cardUrl });
    const bad = remoteAgent({ name: 'gone', agentCardUrl: 'http://127.0.0.1:9/card' });
    expect(agents.describe(good)).toBe('My reviewer.');
    expect(await agents.load([], never)).toEqual([]);
    await agents.load([good, bad], never);
    expect(agents.describe(good)).toContain('- Review: Reads a diff');
    expect(notices).toEqual([
      expect.stringMatching(
        /^The remote agent gone is not available yet: .* It is tried again when it is used\.$/,
      ),
    ]);
    expect((await agents.invoke(good, 'hello', { signal: never })).text).toBe('Hello, hello');
    agents.close();
  });

  it('are described by their cards for each caller that comes while these are loaded', async () => {
    const { agents } = compose();
    const good = remoteAgent({ agentCardUrl: server.cardUrl });
    void agents.load([good], never);
    await agents.load([good], never);
    expect(agents.describe(good)).toContain('- Review: Reads a diff');
    agents.close();
  });

  it('ask the user to sign in, take the pasted address, and keep the token encrypted', async () => {
    const oidc = await startOidcServer();
    const events = new EventStream();
    const asked: string[] = [];
    let address = '';
    events.subscribe(
      (event) => {
        if (event.type === 'notice') address = /https?:\S+/.exec(event.message)?.[0] ?? '';
        if (event.type !== 'question' || event.question.kind !== 'ask_user') return;
        const { id } = event;
        const [{ type, question } = { type: '', question: '' }] = event.question.questions;
        asked.push(question);
        if (type === 'yesno') events.answer(id, { answers: { '0': 'Yes' } });
        else {
          void signInInBrowser(address, { stopAt: 'http://localhost:' }).then((end) =>
            events.answer(id, { answers: { '0': end } }),
          );
        }
      },
      { answers: true },
    );
    const { agents, redactor } = compose(events);
    const auth = { type: 'oauth' as const, client_id: PUBLIC_CLIENT.clientId, issuer: oidc.issuer };
    const agent = remoteAgent({ agentCardUrl: server.cardUrl, auth: { ...auth, scopes: ['openid'] } });

    expect(await agents.invoke(agent, 'hello', { signal: never })).toEqual({
      text: 'Hello, hello',
      isError: false,
    });
    expect(asked[0]).toContain(`Sign in for the agent reviewer at ${new URL(oidc.issuer).host}?`);
    expect(asked[1]).toContain('paste the code');
    const token = server.requests.at(-1)?.authorization?.replace('Bearer ', '') ?? '';
    expect(token).not.toBe('');
    expect(redactor.redact(`x ${token} y`)).not.toContain(token);
    expect(readFileSync(join(home, '.gemini/gemini-credentials.json'), 'utf8')).not.toContain(token);
    agents.close();
    await oidc.close();

    // Another process uses the stored token; the sign-in server is gone.
    const later = compose();
    expect((await later.agents.invoke(agent, 'hello', { signal: never })).text).toBe('Hello, hello');
    later.agents.close();
  });
});
