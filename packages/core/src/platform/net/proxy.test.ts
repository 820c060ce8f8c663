import { describe, expect, it } from 'vitest';
import { proxyFor } from './proxy.js';

const api = new URL('https://api.example.com/v1');

describe('proxyFor', () => {
  it.each([
    [{}, undefined],
    [{ HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
    [{ https_proxy: 'p:1' }, 'http://p:1'],
    [{ HTTP_PROXY: 'http://p:2' }, 'http://p:2'],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.com' }, undefined],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: '.example.com' }, undefined],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'ample.com, other' }, 'http://p:1'],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'api.example.com:8443' }, 'http://p:1'],
    [{ HTTPS_PROXY: 'http://p:1', no_proxy: '*' }, undefined],
  ])('reads %j', (env, expected) => {
    expect(proxyFor(api, env)).toBe(expected);
  });

  it('uses no proxy for requests to this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect(proxyFor(new URL(`http://${host}:1/`), { HTTP_PROXY: 'http://p:1' })).toBeUndefined();
    }
  });
});
