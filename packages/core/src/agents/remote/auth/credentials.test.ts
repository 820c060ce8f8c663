import { afterEach, describe, expect, it } from 'vitest';
import {
  type OidcServer,
  PUBLIC_CLIENT,
  signInInBrowser,
  startOidcServer,
} from '../../../platform/oauth/oidc-server.test-helper.js';
import type { RemoteAgentAuth } from '../../types.js';
import { startAgentServer, type TestServer, type TestServerOptions } from '../a2a-server.test-helper.js';
import { type RemoteRig, type RigOptions, remoteAgent, remoteRig } from '../remote-agents.test-helper.js';
import { GoogleCredentials } from './google-credentials.js';

const never = new AbortController().signal;
let server: TestServer | undefined;
let rig: RemoteRig;
let oidc: OidcServer | undefined;

afterEach(async () => {
  rig?.agents.close();
  await server?.close();
  await oidc?.close();
  [server, oidc] = [undefined, undefined];
});

async function start(
  auth: RemoteAgentAuth | undefined,
  options: TestServerOptions,
  rigOptions: RigOptions = {},
) {
  server = await startAgentServer(options);
  rig = remoteRig(rigOptions);
  const definition = remoteAgent({ agentCardUrl: server.cardUrl, ...(auth && { auth }) });
  return { definition, ask: () => rig.agents.invoke(definition, 'hello', { signal: never }) };
}

const needs = (header: string, value: string) => ({ needs: { header, value: () => value } });
const HELLO = { text: 'Hello, hello', isError: false };

describe('fixed credentials', () => {
  it.each<[string, RemoteAgentAuth, string, string]>([
    ['an API key in the usual header', { type: 'apiKey', key: '$KEY' }, 'x-api-key', 'secret-1'],
    [
      'an API key in a header of its own',
      { type: 'apiKey', key: '\u0024{KEY}', name: 'X-Mine' },
      'x-mine',
      'secret-1',
    ],
    ['a bearer token', { type: 'http', scheme: 'Bearer', token: '$KEY' }, 'authorization', 'Bearer secret-1'],
    [
      'a user name and password',
      { type: 'http', scheme: 'Basic', username: 'me', password: '$KEY' },
      'authorization',
      `Basic ${Buffer.from('me:secret-1').toString('base64')}`,
    ],
    [
      'any scheme with a value',
      { type: 'http', scheme: 'Digest', value: '$$x' },
      'authorization',
      'Digest $x',
    ],
    ['a value with an escaped mark', { type: 'apiKey', key: '!!x' }, 'x-api-key', '!x'],
  ])('are %s', async (_what, auth, header, value) => {
    const { ask } = await start(auth, needs(header, value), { env: { KEY: 'secret-1' } });
    expect(await ask()).toEqual(HELLO);
  });

  it.each<[RemoteAgentAuth, string]>([
    [{ type: 'apiKey', key: '$MISSING' }, 'auth.key: the environment variable MISSING is not set'],
    [{ type: 'apiKey', key: '$EMPTY' }, 'the environment variable EMPTY is not set'],
    [{ type: 'apiKey', key: '$no good' }, 'is not a variable'],
    [{ type: 'apiKey', key: '$BREAK' }, 'characters that a header cannot hold'],
    [{ type: 'apiKey', key: 'x', name: 'a b' }, 'is not a header name'],
    [{ type: 'http', scheme: 'Basic', username: 'me' }, 'needs a token, a value, or username and password'],
  ])('%j are refused before anything is sent', async (auth, message) => {
    const env = { EMPTY: '', BREAK: 'a\r\nx-evil: 1' };
    const { ask } = await start(auth, {}, { env });
    expect(await ask()).toMatchObject({ isError: true, text: expect.stringContaining(message) });
    expect(server?.requests).toEqual([]);
  });

  it('are sent for the card only after the server refused without them', async () => {
    const { ask } = await start(
      { type: 'apiKey', key: 'k' },
      { ...needs('x-api-key', 'k'), secureCard: true },
    );
    expect(await ask()).toEqual(HELLO);
  });

  it('that the server refuses end with a message, also without any', async () => {
    const { ask } = await start(undefined, { ...needs('x-api-key', 'k'), secureCard: true });
    expect((await ask()).text).toContain('asks for credentials: add "auth" to the agent (HTTP 401)');
  });

  it('are not sent over an unencrypted connection to another machine', async () => {
    rig = remoteRig();
    const definition = remoteAgent({
      agentCardJson: JSON.stringify({ url: 'http://agent.example/', protocolVersion: '0.3.0' }),
      auth: { type: 'apiKey', key: 'k' },
    });
    const { text } = await rig.agents.invoke(definition, 'x', { signal: never });
    expect(text).toContain('Credentials are only sent over https, not to http://agent.example');
  });

  it('that do not fit the card are named in a warning, and the agent stays usable', async () => {
    const scheme = {
      $case: 'httpAuthSecurityScheme' as const,
      value: { scheme: 'Bearer', description: '', bearerFormat: '' },
    };
    const card = { securitySchemes: { main: { scheme } } };
    const { ask } = await start({ type: 'apiKey', key: 'k' }, { card });
    expect(await ask()).toEqual(HELLO);
    expect(rig.warnings).toEqual([
      'The remote agent reviewer may refuse requests: its "auth" is an API key in the header X-API-Key, but its card asks for http (Bearer).',
    ]);
  });
});

describe('Google credentials', () => {
  const google = {
    access: async () => ({ authorization: 'Bearer access' }),
    identity: async (audience: string) => `identity for ${audience}`,
    invalidate: () => {},
  };
  const use = { signal: never, mayAsk: true };
  const credentials = () => new GoogleCredentials({ type: 'google-credentials' }, { google });

  it('are an access token for Google APIs and an identity token for Cloud Run', async () => {
    const grant = (url: string) => credentials().grant(new URL(url), use);
    expect(await grant('https://x.googleapis.com/a')).toEqual({
      headers: { authorization: 'Bearer access' },
    });
    expect(await grant('https://me-1.a.run.app/')).toEqual({
      headers: { authorization: 'Bearer identity for me-1.a.run.app' },
    });
  });

  it.each([
    'https://evil.example/',
    'https://googleapis.com.evil.example/',
    'https://evilrun.app/',
    'https://evilgoogleapis.com/',
    'http://x.googleapis.com/',
  ])('are not sent to %s', async (url) => {
    await expect(credentials().grant(new URL(url), use)).rejects.toThrow('are only sent to');
  });

  it('name the audience with its scheme after a refusal', async () => {
    const own = credentials();
    own.refused();
    const { headers } = await own.grant(new URL('https://me.run.app/'), use);
    expect(headers['authorization']).toBe('Bearer identity for https://me.run.app');
  });
});

describe('a sign-in for an agent', () => {
  const prompts = {
    confirm: async () => true,
    showUrl: () => {},
    openBrowser: async (url: string) => {
      void signInInBrowser(url);
      return true;
    },
    askCode: async () => undefined,
  };

  /** Any token of the server is accepted. */
  async function startWithOidc(auth: object, rigOptions: RigOptions) {
    oidc = await startOidcServer();
    const { issuer } = oidc;
    const given = JSON.parse(JSON.stringify(auth).replaceAll('ISSUER', issuer));
    const flow = {
      authorizationUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      refreshUrl: '',
      pkceRequired: true,
      scopes: { openid: '' },
    };
    const flows = { flow: { $case: 'authorizationCode' as const, value: flow } };
    const scheme = {
      $case: 'oauth2SecurityScheme' as const,
      value: { description: '', flows, oauth2MetadataUrl: '' },
    };
    const own = { type: 'oauth' as const, client_id: PUBLIC_CLIENT.clientId, ...given };
    return start(own, { card: { securitySchemes: { main: { scheme } } } }, rigOptions);
  }

  it.each([
    ['by the issuer of the file', { issuer: 'ISSUER', scopes: ['openid'] }],
    [
      'by the addresses of the file',
      { authorization_url: 'ISSUER/auth', token_url: 'ISSUER/token', scopes: ['openid'] },
    ],
    ['by the flow of the card', {}],
  ])('finds the server %s, and keeps the token for the origin of the agent', async (_how, auth) => {
    const { ask } = await startWithOidc(auth, { prompts });
    expect(await ask()).toEqual(HELLO);
    expect(await ask()).toEqual(HELLO);
    const [stored] = rig.storage.all.values();
    expect(stored).toMatchObject({ serverName: 'reviewer', origin: server?.origin });
    expect(server?.requests.at(-1)?.authorization).toBe(`Bearer ${stored?.token.accessToken}`);
    expect(oidc?.exchanges).toHaveLength(1);
    expect(rig.secrets).toContain(stored?.token.accessToken);
  });

  it('is an error without a terminal', async () => {
    const { ask } = await startWithOidc({ issuer: 'ISSUER' }, {});
    expect((await ask()).text).toContain('needs a sign-in in the browser. Run gemini in a terminal');
  });

  it('does not send the code to another origin than the card lets the user sign in at', async () => {
    const { ask } = await startWithOidc({ authorization_url: 'https://accounts.example/auth' }, { prompts });
    expect((await ask()).text).toContain(
      'the card asks to sign in at https://accounts.example but to send the code to',
    );
    expect(oidc?.exchanges).toEqual([]);
  });

  it('puts the token into the address where the file asks for it', async () => {
    const { ask } = await startWithOidc(
      { issuer: 'ISSUER', scopes: ['openid'], token_param_name: 'tok' },
      { prompts },
    );
    expect(await ask()).toEqual(HELLO);
    expect(server?.requests.at(-1)?.authorization).toBeUndefined();
  });
});
