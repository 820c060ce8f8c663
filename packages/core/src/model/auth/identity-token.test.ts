import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuthFixture, authFixture } from './auth-fixture.test-helper.js';
import { createCloudAuthorizer, fetchIdentityToken } from './index.js';

let fixture: AuthFixture;
let google: Server;
let forms: URLSearchParams[];
let paths: string[];

beforeEach(async () => {
  fixture = await authFixture();
  [forms, paths] = [[], []];
  google = createServer(async (request, response) => {
    paths.push(request.url ?? '');
    if (request.url?.startsWith('/computeMetadata')) {
      response.setHeader('metadata-flavor', 'Google');
      return response.end('identity-of-the-machine\n');
    }
    let body = '';
    for await (const piece of request) body += piece;
    forms.push(new URLSearchParams(body));
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ id_token: 'identity', access_token: 'access', expires_in: 3600 }));
  });
  await new Promise<void>((resolve) => google.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(google.address() as AddressInfo).port}`;
  fixture.context.endpoints = { ...fixture.context.endpoints, token: `${url}/token`, metadata: [url] };
});
afterEach(async () => {
  google.close();
  await fixture.cleanup();
});

function optionsWith(file: object | undefined) {
  const path = join(fixture.home, 'adc.json');
  if (file) writeFileSync(path, JSON.stringify(file));
  const env = { ...fixture.context.env, ...(file && { GOOGLE_APPLICATION_CREDENTIALS: path }) };
  return { ...fixture.context, env };
}

function serviceAccount() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return { type: 'service_account', client_email: 'a@b.example', private_key };
}

const claimsOf = (form: URLSearchParams | undefined) =>
  JSON.parse(Buffer.from(form?.get('assertion')?.split('.')[1] ?? '', 'base64url').toString());

describe('an identity token', () => {
  it('of a service account is asked for with the audience in the signed assertion', async () => {
    expect(await fetchIdentityToken('me.run.app', optionsWith(serviceAccount()))).toBe('identity');
    expect(claimsOf(forms[0])).toMatchObject({ target_audience: 'me.run.app', iss: 'a@b.example' });
    expect(claimsOf(forms[0])).not.toHaveProperty('scope');
    expect(fixture.announced).toContain('identity');
  });

  it('of a user is asked for with the refresh token', async () => {
    const user = { type: 'authorized_user', client_id: 'c', client_secret: 's', refresh_token: 'r' };
    expect(await fetchIdentityToken('me.run.app', optionsWith(user))).toBe('identity');
    expect(Object.fromEntries(forms[0] ?? [])).toMatchObject({
      refresh_token: 'r',
      target_audience: 'me.run.app',
    });
  });

  it('of a machine comes from the metadata server', async () => {
    expect(await fetchIdentityToken('me.run.app', optionsWith(undefined))).toBe('identity-of-the-machine');
    expect(paths[0]).toContain('/identity?audience=me.run.app&format=full');
  });
});

describe('an access token', () => {
  it('has the scopes that were asked for', async () => {
    const options = { ...optionsWith(serviceAccount()), scopes: ['one', 'two'], useCliAuth: false };
    await (await createCloudAuthorizer(options)).headers();
    expect(claimsOf(forms[0])).toMatchObject({ scope: 'one two' });
  });
});
