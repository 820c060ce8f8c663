import { describe, expect, it } from 'vitest';
import { customHeaders } from './custom-headers.js';

describe('customHeaders', () => {
  it('splits at commas before a name, and ignores invalid headers', () => {
    expect(customHeaders('X-A: 1, 2, X-B: http://x:80/')).toEqual({ 'x-a': '1, 2', 'x-b': 'http://x:80/' });
    expect(customHeaders('nonsense,, : x, A: b')).toEqual({ a: 'b' });
    expect(customHeaders(undefined)).toEqual({});
  });

  it('refuses values that could add another header', () => {
    expect(() => customHeaders('X-A: 1\r\nX-Evil: 2')).toThrow('GEMINI_CLI_CUSTOM_HEADERS');
  });
});
