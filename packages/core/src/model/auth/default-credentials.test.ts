import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuthFixture, authFixture } from './auth-fixture.test-helper.js';
import { createCloudAuthorizer } from './index.js';

let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await authFixture();
});
afterEach(() => fixture.cleanup());

const authorizer = (env: NodeJS.ProcessEnv, useCliAuth = false) =>
  createCloudAuthorizer({
    ...fixture.context,
    env: { ...fixture.context.env, HOME: fixture.home, ...env },
    useCliAuth,
  });

describe('createCloudAuthorizer', () => {
  it('uses application default credentials, and the project they name for the bill', async () => {
    const path = join(fixture.home, 'adc.json');
    const { clientId: client_id, clientSecret: client_secret } = fixture.server.client;
    const { refresh_token } = fixture.server.issue();
    const file = { type: 'authorized_user', client_id, client_secret, refresh_token, quota_project_id: 'q' };
    writeFileSync(path, JSON.stringify(file));
    const { headers } = await authorizer({ GOOGLE_APPLICATION_CREDENTIALS: path });
    expect(await headers()).toEqual({
      authorization: expect.stringMatching(/^Bearer ./),
      'x-goog-user-project': 'q',
    });
  });

  it('says what to do when there are none', async () => {
    fixture.context.endpoints = { ...fixture.context.endpoints, metadata: ['http://127.0.0.1:9'] };
    await expect(authorizer({})).rejects.toThrow(
      'there are no application default credentials. Run "gcloud auth application-default login", or set GOOGLE_APPLICATION_CREDENTIALS',
    );
  });

  it('uses the sign-in of the program on request', async () => {
    const tokens = { ...fixture.server.issue(), expiry_date: fixture.clock.now() + 3_600_000 };
    fixture.write('oauth_creds.json', tokens);
    const { headers } = await authorizer({}, true);
    expect(await headers()).toEqual({ authorization: `Bearer ${tokens.access_token}` });
  });
});
