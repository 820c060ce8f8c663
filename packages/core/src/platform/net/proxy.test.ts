import { describe, expect, it } from 'vitest';
import { proxyFor, proxyPasswords } from './proxy.js';

const api = new URL('https://api.example.com/v1');

describe('proxyFor', () => {
  it.each([
    [{}, undefined],
    [{ HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    [{ https_proxy: 'p:1' }, 'http://p:1/'],
    [{ HTTP_PROXY: 'http://p:2' }, 'http://p:2/'],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.com' }, undefined],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: '.example.com' }, undefined],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'ample.com, other' }, 'http://p:1/'],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'api.example.com:8443' }, 'http://p:1/'],
    [{ HTTPS_PROXY: 'http://p:1', no_proxy: '*' }, undefined],
  ])('reads the variables %j', (variables, expected) => {
    expect(proxyFor(api, { variables })?.href).toBe(expected);
  });

  it.each([
    [{}, 'http://s:9/'],
    [{ HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    [{ http_proxy: 'http://p:2' }, 'http://p:2/'],
    [{ NO_PROXY: 'api.example.com' }, undefined],
  ])('prefers the variables %j to the setting', (variables, expected) => {
    expect(proxyFor(api, { variables, proxy: 's:9' })?.href).toBe(expected);
  });

  it('uses no proxy for requests to this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const source = { variables: { HTTP_PROXY: 'http://p:1' }, proxy: 'http://s:9' };
      expect(proxyFor(new URL(`http://${host}:1/`), source)).toBeUndefined();
    }
  });

  it.each(['socks5://me:hunter2@p:1', 'http://', 'http://me:hunter2@p:x'])(
    'refuses %s by the name of its source, without the password',
    (proxy) => {
      const error = 'general.proxy is not the address of an http or https proxy.';
      expect(() => proxyFor(api, { variables: {}, proxy })).toThrow(
        expect.objectContaining({ message: error }),
      );
    },
  );
});

it('proxyPasswords finds the password as written and decoded', () => {
  expect(proxyPasswords('http://me:a%40b@p:1')).toEqual(['a%40b', 'a@b']);
  expect(proxyPasswords('me:100%@p:1')).toEqual(['100%', '100%']);
  expect(proxyPasswords('http://p:1')).toEqual([]);
});
