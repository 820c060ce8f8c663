import { describe, expect, it } from 'vitest';
import { customHeaders, endpointFromEnvironment } from './endpoint.js';

describe('endpointFromEnvironment', () => {
  it('uses the key against the public server', () => {
    const endpoint = endpointFromEnvironment({ GEMINI_API_KEY: 'k' }, '1.0');
    expect([endpoint.baseUrl.href, endpoint.apiVersion, endpoint.headers]).toEqual([
      'https://generativelanguage.googleapis.com/',
      'v1beta',
      { 'x-goog-api-key': 'k' },
    ]);
  });

  it('takes a gateway without a key, other versions, bearer keys and custom headers', () => {
    const endpoint = endpointFromEnvironment(
      {
        GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9/prefix',
        GOOGLE_GENAI_API_VERSION: 'v1',
        GEMINI_API_KEY_AUTH_MECHANISM: 'bearer',
        GEMINI_API_KEY: 'k',
        GEMINI_CLI_CUSTOM_HEADERS: 'X-A: 1, 2, X-B: http://x:80/',
      },
      '1.0',
    );
    expect([endpoint.baseUrl.pathname, endpoint.apiVersion, endpoint.headers]).toEqual([
      '/prefix',
      'v1',
      { authorization: 'Bearer k', 'x-a': '1, 2', 'x-b': 'http://x:80/' },
    ]);
    const gateway = endpointFromEnvironment({ GOOGLE_GEMINI_BASE_URL: 'http://localhost:9' }, '1.0');
    expect(gateway.headers).toEqual({ 'x-goog-api-key': '' });
  });

  it.each(['http://example.com', 'ftp://127.0.0.1', 'not a url'])(
    'refuses %s: a key must not travel in the clear',
    (url) => {
      expect(() => endpointFromEnvironment({ GOOGLE_GEMINI_BASE_URL: url }, '1.0')).toThrow(
        'GOOGLE_GEMINI_BASE_URL',
      );
    },
  );

  it('refuses what no header can carry, without repeating it', () => {
    const make = (env: Record<string, string>) => () => endpointFromEnvironment(env, '1.0');
    expect(make({ GEMINI_API_KEY: 'a\nb' })).toThrow(/^GEMINI_API_KEY holds characters/);
    expect(make({ GEMINI_API_KEY: 'ключ' })).toThrow(/^GEMINI_API_KEY holds characters/);
    expect(make({ GEMINI_API_KEY: 'k', GEMINI_CLI_CUSTOM_HEADERS: 'X-A: \u0001' })).toThrow(
      /^GEMINI_CLI_CUSTOM_HEADERS: .*x-a/,
    );
  });

  it('does not repeat a password of the address', () => {
    const url = 'http://user:hidden@example.com';
    expect(() => endpointFromEnvironment({ GOOGLE_GEMINI_BASE_URL: url }, '1.0')).toThrow(
      /^(?!.*hidden).*example\.com/,
    );
  });

  it('names every way to sign in, and the guide, when there is none', () => {
    expect(() => endpointFromEnvironment({}, '1.0')).toThrow(
      /GEMINI_API_KEY.*GOOGLE_GENAI_USE_VERTEXAI.*GOOGLE_GENAI_USE_GCA.*settings\.json.*--model offline/,
    );
  });
});

describe('customHeaders', () => {
  it('ignores what is no header', () => {
    expect(customHeaders('nonsense,, : x, A: b')).toEqual({ a: 'b' });
    expect(customHeaders(undefined)).toEqual({});
  });
});
