import { describe, expect, it } from 'vitest';
import { FatalAuthenticationError } from '../../base/errors.js';
import {
  chooseAuthType,
  noAuthError,
  offeredAuthTypes,
  parseAuthType,
  preselectedAuthType,
} from './auth-type.js';
import { projectFromEnvironment } from './project.js';

describe('chooseAuthType', () => {
  const all = {
    GOOGLE_GENAI_USE_GCA: 'true',
    GOOGLE_GENAI_USE_VERTEXAI: 'true',
    GOOGLE_GEMINI_BASE_URL: 'https://gateway.example',
    CLOUD_SHELL: 'true',
  };

  it('reads the environment in the documented order', () => {
    const env: NodeJS.ProcessEnv = { ...all };
    expect(chooseAuthType({ env })).toBe('oauth-personal');
    delete env['GOOGLE_GENAI_USE_GCA'];
    expect(chooseAuthType({ env })).toBe('vertex-ai');
    env['GOOGLE_GENAI_USE_VERTEXAI'] = 'false';
    expect(chooseAuthType({ env })).toBe('gateway');
    env['GEMINI_API_KEY'] = 'key';
    expect(chooseAuthType({ env })).toBe('gemini-api-key');
    delete env['GOOGLE_GEMINI_BASE_URL'];
    expect(chooseAuthType({ env })).toBe('gemini-api-key');
    env['GEMINI_API_KEY'] = '  ';
    expect(chooseAuthType({ env })).toBe('compute-default-credentials');
    expect(chooseAuthType({ env: { GEMINI_CLI_USE_COMPUTE_ADC: 'true' } })).toBe(
      'compute-default-credentials',
    );
    expect(chooseAuthType({ env: {} })).toBeUndefined();
  });

  it("prefers the user's selection, and knows the old name", () => {
    expect(chooseAuthType({ env: all, selectedType: 'gemini-api-key' })).toBe('gemini-api-key');
    expect(chooseAuthType({ env: {}, selectedType: 'cloud-shell' })).toBe('compute-default-credentials');
    expect(chooseAuthType({ env: all, selectedType: 'no-such-type' })).toBe('oauth-personal');
    expect(parseAuthType('constructor')).toBeUndefined();
  });

  it('uses the enforced type when nothing else is chosen', () => {
    expect(chooseAuthType({ env: {}, enforcedType: 'vertex-ai' })).toBe('vertex-ai');
    expect(chooseAuthType({ env: all, enforcedType: 'oauth-personal' })).toBe('oauth-personal');
  });

  it.each([
    [{ env: { GEMINI_API_KEY: 'key' }, enforcedType: 'vertex-ai' }, ['vertex-ai', 'gemini-api-key']],
    [{ env: {}, selectedType: 'gateway', enforcedType: 'oauth-personal' }, ['oauth-personal', 'gateway']],
    [{ env: { GEMINI_API_KEY: 'key' }, enforcedType: 'no-such-type' }, ['no-such-type', 'not a known type']],
  ])('refuses another type than the enforced one, naming both (%#)', (choice, words) => {
    const error = failureOf(() => chooseAuthType(choice));
    expect(error).toBeInstanceOf(FatalAuthenticationError);
    expect(error).toMatchObject({ exitCode: 41 });
    for (const word of words) expect(error.message).toContain(word);
  });
});

describe('offeredAuthTypes', () => {
  const client = { GEMINI_OAUTH_CLIENT_ID: 'id', GEMINI_OAUTH_CLIENT_SECRET: 'secret' };

  it('hides Google sign-in without a client', () => {
    expect(offeredAuthTypes({})).toEqual(['gemini-api-key', 'vertex-ai']);
    expect(offeredAuthTypes({ GEMINI_OAUTH_CLIENT_ID: 'id' })).toEqual(['gemini-api-key', 'vertex-ai']);
    expect(offeredAuthTypes(client)).toEqual(['oauth-personal', 'gemini-api-key', 'vertex-ai']);
  });

  it('starts with the entry that the environment names', () => {
    expect(preselectedAuthType({ GEMINI_DEFAULT_AUTH_TYPE: 'vertex-ai' })).toBe('vertex-ai');
    expect(preselectedAuthType({ GEMINI_DEFAULT_AUTH_TYPE: 'nonsense' })).toBeUndefined();
  });

  it('offers one choice when a type is enforced', () => {
    expect(offeredAuthTypes(client, 'vertex-ai')).toEqual(['vertex-ai']);
  });
});

describe('noAuthError', () => {
  it('names all ways to sign in', () => {
    const { message, exitCode } = noAuthError({ GEMINI_CLI_HOME: '/home/ada' });
    for (const word of [
      '/home/ada/.gemini/settings.json',
      'GEMINI_API_KEY',
      'GOOGLE_GENAI_USE_VERTEXAI',
      'GOOGLE_GENAI_USE_GCA',
      '--model offline',
    ]) {
      expect(message).toContain(word);
    }
    expect(exitCode).toBe(41);
  });
});

describe('projectFromEnvironment', () => {
  it('reads both names, the first one first', () => {
    expect(projectFromEnvironment({})).toBeUndefined();
    expect(projectFromEnvironment({ GOOGLE_CLOUD_PROJECT_ID: 'two' })).toBe('two');
    expect(projectFromEnvironment({ GOOGLE_CLOUD_PROJECT: ' one ', GOOGLE_CLOUD_PROJECT_ID: 'two' })).toBe(
      'one',
    );
    expect(projectFromEnvironment({ GOOGLE_CLOUD_PROJECT: 'example.com:one' })).toBe('example.com:one');
  });

  it('refuses a number with an explanation, and an invalid id', () => {
    const number = failureOf(() => projectFromEnvironment({ GOOGLE_CLOUD_PROJECT_ID: '1234567890' }));
    expect(number.message).toContain('GOOGLE_CLOUD_PROJECT_ID is "1234567890", which is a project number');
    for (const bad of ['../other', 'a/b', 'a b', 'a\nb', '%2e']) {
      expect(() => projectFromEnvironment({ GOOGLE_CLOUD_PROJECT: bad })).toThrow('not a project id');
    }
  });
});

function failureOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('It did not fail.');
}
