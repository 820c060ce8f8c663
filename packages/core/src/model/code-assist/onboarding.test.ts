import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '../../platform/net/http.js';
import { type AuthFixture, authFixture } from '../auth/auth-fixture.test-helper.js';
import { createAuthorizer } from '../auth/index.js';
import { CodeAssistApi } from './api.js';
import { IneligibleAccountError, setUpUser } from './onboarding.js';

let fixture: AuthFixture;
let http: HttpClient;
beforeEach(async () => {
  fixture = await authFixture();
  http = new HttpClient();
  fixture.write('oauth_creds.json', {
    ...fixture.server.issue(),
    expiry_date: fixture.clock.now() + 3_600_000,
  });
});
afterEach(async () => {
  http.close();
  await fixture.cleanup();
});

const answers = (name: string, ...bodies: unknown[]) =>
  fixture.server.codeAssist.set(
    name,
    bodies.map((body) => ({ status: 200, body })),
  );
const setUp = async (env: NodeJS.ProcessEnv = {}, signal = new AbortController().signal) => {
  const full = { ...fixture.context.env, CODE_ASSIST_ENDPOINT: fixture.server.url, ...env };
  const authorizer = await createAuthorizer('oauth-personal', { ...fixture.context, env: full });
  const api = new CodeAssistApi({ env: full, authorizer, http, version: '1.2.3' });
  // A sleep advances the time at once.
  const clock = {
    now: () => fixture.clock.now(),
    sleep: async (ms: number) => fixture.clock.advance(ms),
  };
  return setUpUser({ api, env: full, clock, signal });
};
const bodiesOf = (method: string) => fixture.server.to(`/v1internal:${method}`).map(({ json }) => json);

describe('setUpUser', () => {
  it("uses the account's tier and project", async () => {
    answers('loadCodeAssist', {
      currentTier: { id: 'free-tier', name: 'Free' },
      cloudaicompanionProject: 'given',
    });
    expect(await setUp()).toEqual({
      project: 'given',
      isOwnProject: false,
      tier: { id: 'free-tier', name: 'Free', isDefault: false, needsProject: false },
    });
    expect(bodiesOf('loadCodeAssist')).toEqual([
      { metadata: expect.objectContaining({ pluginType: 'GEMINI' }) },
    ]);
    const [request] = fixture.server.to('/v1internal:loadCodeAssist');
    expect(request?.headers['user-agent']).toBe(
      `GeminiCLI/1.2.3 (${process.platform}; ${process.arch}; terminal)`,
    );
  });

  it('puts a new account on the free tier without naming a project, and waits for it', async () => {
    answers('loadCodeAssist', {
      allowedTiers: [{ id: 'standard-tier' }, { id: 'free-tier', isDefault: true }],
    });
    answers('onboardUser', { name: 'operations/op-1', done: false });
    answers(
      'operations/op-1',
      { name: 'operations/op-1' },
      { name: 'operations/op-1', done: true, response: { cloudaicompanionProject: { id: 'managed' } } },
    );
    const began = fixture.clock.now();
    expect(await setUp({ GOOGLE_CLOUD_PROJECT: 'mine' })).toMatchObject({
      project: 'managed',
      tier: { id: 'free-tier' },
    });
    expect(bodiesOf('onboardUser')).toEqual([{ tierId: 'free-tier', metadata: expect.any(Object) }]);
    expect(fixture.clock.now() - began).toBe(10_000);
  });

  it('repeats the request when the operation has no name', async () => {
    answers('loadCodeAssist', { allowedTiers: [{ id: 'standard-tier', isDefault: true }] });
    answers('onboardUser', { done: false }, { done: true, response: {} });
    expect(await setUp({ GOOGLE_CLOUD_PROJECT: 'mine' })).toMatchObject({
      project: 'mine',
      isOwnProject: true,
    });
    expect(bodiesOf('onboardUser')).toEqual([
      expect.objectContaining({ tierId: 'standard-tier', cloudaicompanionProject: 'mine' }),
      expect.objectContaining({ tierId: 'standard-tier', cloudaicompanionProject: 'mine' }),
    ]);
  });

  it('says that a tier needs a project', async () => {
    answers('loadCodeAssist', { allowedTiers: [{ id: 'standard-tier', name: 'Standard', isDefault: true }] });
    await expect(setUp()).rejects.toMatchObject({
      exitCode: 41,
      message: expect.stringMatching(/\(Standard\) needs .*GOOGLE_CLOUD_PROJECT/),
    });
    answers('loadCodeAssist', { currentTier: { id: 'legacy-tier' } });
    await expect(setUp()).rejects.toThrow('GOOGLE_CLOUD_PROJECT');
    await expect(setUp({ GOOGLE_CLOUD_PROJECT: '4711' })).rejects.toThrow('project number');
  });

  it("reports the server's reasons for an account it does not serve", async () => {
    answers('loadCodeAssist', {
      ineligibleTiers: [
        {
          reasonCode: 'UNSUPPORTED_LOCATION',
          reasonMessage: 'Not available in your region.',
          tierId: 'free-tier',
        },
        {
          reasonCode: 'VALIDATION_REQUIRED',
          reasonMessage: 'Verify it:',
          validationUrl: 'https://g.example/v',
        },
      ],
    });
    const error = await setUp().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(IneligibleAccountError);
    expect(error).toMatchObject({
      exitCode: 41,
      message: 'This account cannot be used: Not available in your region. Verify it: https://g.example/v',
      reasons: [
        { code: 'UNSUPPORTED_LOCATION' },
        { code: 'VALIDATION_REQUIRED', link: 'https://g.example/v' },
      ],
    });
    answers('loadCodeAssist', []);
    await expect(setUp()).rejects.toThrow('GEMINI_API_KEY');
  });

  it('reports why the account could not be set up, and does not wait endlessly', async () => {
    answers('loadCodeAssist', { allowedTiers: [{ id: 'free-tier', isDefault: true }] });
    answers('onboardUser', { done: true, error: { code: 7, message: 'Account suspended.' } });
    await expect(setUp()).rejects.toThrow('could not be set up: Account suspended.');
    answers('onboardUser', { name: 'operations/slow', done: false });
    answers('operations/slow', {});
    await expect(setUp()).rejects.toThrow('has not finished');
    expect(fixture.server.to('/v1internal/operations/slow')).toHaveLength(60);
  });

  it('passes on errors of the service', async () => {
    const error = { code: 403, message: 'Code Assist API is disabled.', status: 'PERMISSION_DENIED' };
    fixture.server.codeAssist.set('loadCodeAssist', [{ status: 403, body: { error } }]);
    await expect(setUp()).rejects.toMatchObject({
      status: 403,
      message: 'Code Assist API is disabled. (HTTP 403 from Gemini Code Assist).',
    });
    await expect(setUp({ CODE_ASSIST_ENDPOINT: 'http://evil.example' })).rejects.toThrow(
      'CODE_ASSIST_ENDPOINT',
    );
  });
});
