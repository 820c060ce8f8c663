import { describe, expect, it } from 'vitest';
import { AllowedDomains } from './allowed-domains.js';

const domains = new AllowedDomains([
  'github.com',
  '*.google.com',
  'localhost',
  'HTTPS://Example.org:8443/path',
  'a,b',
  '',
]);

describe('allowed domains', () => {
  it.each([
    'https://github.com/a?b=c#d',
    'http://localhost:3000/',
    'https://google.com',
    'https://mail.google.com./inbox',
    'https://example.org',
    'about:blank',
    'https://github.com/login?return_to=https%3A%2F%2Fgithub.com%2Fa',
    'https://www.google.com/search?q=what+is+http',
    'https://github.com/a/b//c',
  ])('allow %s', (address) => expect(domains.refusal(address)).toBeUndefined());

  it.each([
    'https://evilgithub.com',
    'https://github.com.evil.com',
    'https://api.github.com',
    'https://evilgoogle.com',
    'https://github.com@evil.com',
    'https://evil.com#github.com',
    'http://127.0.0.1',
    'http://[::1]/',
    'http://2130706433/',
    'ftp://github.com',
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:1',
    'chrome://version',
    'not an address',
  ])('refuse %s', (address) => expect(domains.refusal(address)).toBeDefined());

  it.each([
    'https://translate.google.com/translate?u=http://evil.com/x',
    'https://translate.google.com/translate?u=http%3A%2F%2Fevil.com',
    'https://translate.google.com/translate?u=http%253A%252F%252Fevil.com',
    'https://www.google.com/url?q=HTTPS://evil.com',
    'https://www.google.com/url?q=//evil.com',
    'https://www.google.com/url#u=https:/\\evil.com',
    'https://www.google.com/proxy/https://evil.com/x',
  ])('refuse an address handed to another site: %s', (address) => {
    expect(domains.refusal(address)).toContain('evil.com');
  });

  it('become rules of the browser, without entries that are not hosts', () => {
    expect(domains.hostRules()).toBe(
      'MAP * ~NOTFOUND,EXCLUDE github.com,EXCLUDE *.google.com,EXCLUDE google.com,EXCLUDE localhost,EXCLUDE example.org',
    );
    expect(new AllowedDomains([]).hostRules()).toBe('MAP * ~NOTFOUND');
    expect(new AllowedDomains(['*']).hostRules()).toBeUndefined();
    expect(new AllowedDomains(['*']).refusal('https://anything.example')).toBeUndefined();
    expect(new AllowedDomains(['*']).refusal('file:///x')).toBeDefined();
  });
});
