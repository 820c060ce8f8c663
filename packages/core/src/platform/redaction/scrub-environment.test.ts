import { describe, expect, it } from 'vitest';
import { isStrictSurface, scrubEnvironment } from './scrub-environment.js';

const ON = { enabled: true };

describe('scrubEnvironment', () => {
  it('keeps everything while redaction is off', () => {
    const environment = { GEMINI_API_KEY: 'x', MY_TOKEN: 'y', UNSET: undefined };
    expect(scrubEnvironment(environment, { enabled: false })).toEqual({ GEMINI_API_KEY: 'x', MY_TOKEN: 'y' });
  });

  it('drops variables by name, in any case, and keeps the rest', () => {
    const environment = {
      npm_config_authToken: 'a',
      SSL_CERT_DIR: '/x',
      my_secret: 'b',
      DB_PASSWD: 'c',
      GPG_PRIVATE: 'd',
      AWS_CREDS: 'e',
      Database_Url: 'f',
      EDITOR: 'vi',
      Path: '/bin',
      HOME: '/root',
    };
    expect(scrubEnvironment(environment, ON)).toEqual({ EDITOR: 'vi', Path: '/bin', HOME: '/root' });
  });

  it('lets the allowed list overrule names but not values that look secret', () => {
    const environment = { A_TOKEN: 'plain', B_TOKEN: `ghp_${'a'.repeat(36)}`, C_TOKEN: 'plain' };
    expect(scrubEnvironment(environment, { ...ON, allowed: ['a_token', 'B_TOKEN'] })).toEqual({
      A_TOKEN: 'plain',
    });
  });

  it('prefers the allowed list to the blocked list, and both to the built-in ones', () => {
    const environment = { BOTH: '1', PATH: '/bin', GOOGLE_CLOUD_PROJECT: 'p' };
    const options = { ...ON, allowed: ['BOTH', 'GOOGLE_CLOUD_PROJECT'], blocked: ['BOTH', 'PATH'] };
    expect(scrubEnvironment(environment, options)).toEqual({ BOTH: '1', GOOGLE_CLOUD_PROJECT: 'p' });
  });

  it('keeps our own variables even when blocked or secret-looking, and git configuration unless secret', () => {
    const jwt = 'eyJhbGciOiJI.eyJzdWIiOiIx.abcdefgh';
    const environment = {
      GEMINI_CLI_AUTH_TOKEN: jwt,
      GIT_CONFIG_KEY_0: 'http.proxy',
      GIT_CONFIG_VALUE_0: jwt,
    };
    expect(scrubEnvironment(environment, { ...ON, blocked: ['GEMINI_CLI_AUTH_TOKEN'] })).toEqual({
      GEMINI_CLI_AUTH_TOKEN: jwt,
      GIT_CONFIG_KEY_0: 'http.proxy',
    });
  });

  it.each([
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE',
    '-----BEGIN CERTIFICATE-----\nMIIE',
    '-----BEGIN PGP PRIVATE KEY BLOCK-----',
    'postgres://bob:hunter2@db.local/x',
    'redis://:hunter2@cache',
    `gho_${'A1'.repeat(18)}`,
    `github_pat_${'a1_'.repeat(10)}`,
    `AIzaSy${'a'.repeat(33)}`,
    'AKIAABCDEFGHIJKLMNOP',
    'eyJhbGciOiJI.eyJzdWIiOiIx.abcdefgh',
    `sk_live_${'a'.repeat(24)}`,
    'xoxb-1234567890-abcdef',
  ])('drops a harmless name with the value %j', (value) => {
    expect(scrubEnvironment({ NOTE: value, OK: 'https://host:80/a@b' }, ON)).toEqual({
      OK: 'https://host:80/a@b',
    });
  });

  it('lets only known names pass when strict, even if redaction is off', () => {
    const environment = {
      NODE_ENV: 'test',
      PATH: '/bin',
      ISSUE_TITLE: 't',
      MINE: '1',
      GEMINI_CLI_HOME: '/h',
    };
    expect(scrubEnvironment(environment, { enabled: false, strict: true, allowed: ['MINE'] })).toEqual({
      PATH: '/bin',
      ISSUE_TITLE: 't',
      MINE: '1',
      GEMINI_CLI_HOME: '/h',
    });
  });

  it('is strict on GitHub', () => {
    expect(
      [{ GITHUB_SHA: 'abc' }, { SURFACE: 'Github' }, { SURFACE: 'x' }, { GITHUB_SHA: '' }].map(
        isStrictSurface,
      ),
    ).toEqual([true, true, false, false]);
  });
});
