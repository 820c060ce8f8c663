import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuthFixture, authFixture } from './auth-fixture.test-helper.js';
import { createAuthorizer } from './index.js';

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });

let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await authFixture();
});
afterEach(() => fixture.cleanup());

const project = { GOOGLE_CLOUD_PROJECT: 'my-project', GOOGLE_CLOUD_LOCATION: 'us-central1' };
const vertex = (env: NodeJS.ProcessEnv) =>
  createAuthorizer('vertex-ai', { ...fixture.context, env: { HOME: fixture.home, ...env } });
const credentials = (content: unknown): NodeJS.ProcessEnv => {
  const path = join(fixture.home, 'credentials.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return { ...project, GOOGLE_APPLICATION_CREDENTIALS: path };
};
const serviceAccount = (more: object = {}) => {
  const { publicKey, privateKey } = KEYS;
  fixture.server.serviceAccountKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return {
    type: 'service_account',
    client_email: 'robot@x.example',
    private_key,
    private_key_id: 'k1',
    ...more,
  };
};
const user = (more: object = {}) => ({
  type: 'authorized_user',
  client_id: fixture.server.client.clientId,
  client_secret: fixture.server.client.clientSecret,
  refresh_token: fixture.server.issue().refresh_token,
  ...more,
});

describe('Vertex AI', () => {
  it('needs only a key (express)', async () => {
    const authorizer = await vertex({ ...project, GOOGLE_API_KEY: 'AIza-express' });
    expect(await authorizer.headers()).toEqual({ 'x-goog-api-key': 'AIza-express' });
    expect(fixture.announced).toEqual(['AIza-express']);
  });

  it.each([
    [{}, 'Not set: GOOGLE_CLOUD_PROJECT, GOOGLE_CLOUD_LOCATION.'],
    [{ GOOGLE_CLOUD_PROJECT: 'p' }, 'Not set: GOOGLE_CLOUD_LOCATION.'],
    [{ GOOGLE_CLOUD_LOCATION: 'global' }, 'Not set: GOOGLE_CLOUD_PROJECT.'],
    [{ ...project, GOOGLE_CLOUD_PROJECT: '123456' }, 'project number'],
  ])('says which variables are missing (%#)', async (env, message) => {
    await expect(vertex(env)).rejects.toMatchObject({
      exitCode: 41,
      message: expect.stringContaining(message),
    });
  });

  it('signs in as a service account and renews the token in time', async () => {
    const authorizer = await vertex(credentials(serviceAccount()));
    expect(await authorizer.headers()).toEqual({ authorization: 'Bearer ya29.access-1' });
    fixture.clock.advance(58 * 60_000);
    expect(await authorizer.headers()).toEqual({ authorization: 'Bearer ya29.access-1' });
    fixture.clock.advance(60_000);
    expect(await authorizer.headers()).toEqual({ authorization: 'Bearer ya29.access-2' });
    authorizer.invalidate();
    expect(await authorizer.headers()).toEqual({ authorization: 'Bearer ya29.access-3' });
    const [, claims = ''] = (fixture.server.to('/token')[0]?.params.get('assertion') ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))).toMatchObject({
      iss: 'robot@x.example',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
    });
  });

  it('signs in as the gcloud user, with the billed project', async () => {
    const folder = join(fixture.home, '.config', 'gcloud');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'application_default_credentials.json');
    writeFileSync(path, JSON.stringify(user({ quota_project_id: 'payer' })));
    const expected = { authorization: 'Bearer ya29.access-2', 'x-goog-user-project': 'payer' };
    expect(await (await vertex(project)).headers()).toEqual(expected);
    const env = { ...project, GOOGLE_CLOUD_QUOTA_PROJECT: 'other' };
    expect(await (await vertex(env)).headers()).toMatchObject({ 'x-goog-user-project': 'other' });
  });

  it('signs in with workload identity through the library', async () => {
    const sts = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: 'sts-token', expires_in: 3600, token_type: 'Bearer' }));
    });
    await new Promise<void>((resolve) => sts.listen(0, '127.0.0.1', resolve));
    const { port } = sts.address() as AddressInfo;
    writeFileSync(join(fixture.home, 'subject'), 'subject-token');
    const env = credentials({
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `http://127.0.0.1:${port}/v1/token`,
      credential_source: { file: join(fixture.home, 'subject') },
    });
    expect(await (await vertex(env)).headers()).toEqual({ authorization: 'Bearer sts-token' });
    sts.closeAllConnections();
    sts.close();
  });

  it('uses the metadata server when there is no file', async () => {
    const authorizer = await vertex(project);
    expect(authorizer.type).toBe('vertex-ai');
    expect(await authorizer.headers()).toEqual({ authorization: 'Bearer ya29.access-1' });
  });

  it('says what to do when there are no credentials at all', async () => {
    const path = '/computeMetadata/v1/instance/service-accounts/default/token';
    fixture.server.misbehave(path, { status: 200, body: { access_token: 'planted' } });
    await expect(vertex(project)).rejects.toThrow('gcloud auth application-default login');
  });

  it.each([
    ['missing', undefined, 'does not exist'],
    ['no JSON', '{', 'is not JSON'],
    ['something else', '{"a":1}', 'has no "type"'],
    ['without a key', { type: 'service_account', client_email: 'x' }, '"private_key" is missing'],
    [
      'with a bad key',
      { type: 'service_account', client_email: 'x', private_key: 'bad' },
      'not a usable key',
    ],
    [
      'sending secrets elsewhere by the other spelling',
      { type: 'external_account', tokenUrl: 'https://evil.example' },
      '"tokenUrl" does not lead to googleapis.com',
    ],
    [
      'sending secrets to a domain of its own',
      { type: 'external_account', universe_domain: 'evil.example' },
      '"universe_domain" is not googleapis.com',
    ],
    [
      'sending secrets elsewhere',
      { type: 'external_account', token_url: 'https://evil.example/googleapis.com' },
      '"token_url" does not lead to googleapis.com',
    ],
    [
      'hiding such a one',
      { type: 'impersonated_service_account', source_credentials: { token_url: 'https://xgoogleapis.com' } },
      '"token_url" does not lead to googleapis.com',
    ],
    ['of an unknown type', { type: 'constructor' }, 'do not work'],
  ])('names the file that is %s', async (_name, content, message) => {
    const env =
      content === undefined
        ? { ...project, GOOGLE_APPLICATION_CREDENTIALS: '/no/such' }
        : credentials(content);
    const path = env['GOOGLE_APPLICATION_CREDENTIALS'] ?? '';
    await expect(vertex(env)).rejects.toMatchObject({
      exitCode: 41,
      message: expect.stringMatching(new RegExp(`${path}.*${message}`)),
    });
  });

  it('distinguishes refused credentials from an unreachable server', async () => {
    const revoked = user();
    fixture.server.revoke(revoked.refresh_token);
    await expect(vertex(credentials(revoked))).rejects.toMatchObject({
      exitCode: 41,
      message: expect.stringContaining('expired or revoked'),
    });
    fixture.server.misbehave('/token', 'silence');
    await expect(vertex(credentials(user()))).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('never shows the key in a message', async () => {
    const account = serviceAccount();
    fixture.server.serviceAccountKey = undefined;
    const outcome = await vertex(credentials(account)).catch((error: unknown) => error);
    expect(String(outcome)).toContain('bad JWT');
    expect(JSON.stringify(outcome, Object.getOwnPropertyNames(outcome))).not.toContain('PRIVATE KEY');
  });
});

describe('the metadata server', () => {
  const path = '/computeMetadata/v1/instance/service-accounts/default/token';
  const compute = () => createAuthorizer('compute-default-credentials', fixture.context);
  const google = { 'metadata-flavor': 'Google' };

  it.each([
    ['is another server', { status: 200, body: { access_token: 'planted' } }, 'not the metadata server'],
    ['has no account', { status: 404, body: 'none', headers: google }, 'no service account'],
    ['talks nonsense', { status: 200, body: '<html>', headers: google }, 'HTTP 200'],
    ['is silent', 'silence' as const, 'no answer in time'],
  ])('that %s gives exit code 41', async (_name, answer, message) => {
    fixture.server.misbehave(path, answer);
    await expect(compute()).rejects.toMatchObject({
      exitCode: 41,
      message: expect.stringContaining(message),
    });
  });

  it('is requested at all its addresses in parallel', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const endpoints = { ...fixture.server.endpoints, metadata: [address, fixture.server.url] };
    const authorizer = await createAuthorizer('compute-default-credentials', {
      ...fixture.context,
      endpoints,
    });
    expect(await authorizer.headers()).toEqual({ authorization: 'Bearer ya29.access-1' });
    silent.closeAllConnections();
    silent.close();
  });
});
