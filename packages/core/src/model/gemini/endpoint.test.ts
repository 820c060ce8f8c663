import { describe, expect, it } from 'vitest';
import { geminiAddress, vertexAddress } from './endpoint.js';

describe('model addresses', () => {
  it('lead to the public server, or to a gateway under its prefix and version', () => {
    expect(geminiAddress({})('gemini-3-pro', 'countTokens').href).toBe(
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:countTokens',
    );
    const gateway = geminiAddress({
      GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9/prefix/',
      GOOGLE_GENAI_API_VERSION: 'v1',
    });
    expect(gateway('a/b', 'm?alt=sse').href).toBe('http://127.0.0.1:9/prefix/v1/models/a%2Fb:m?alt=sse');
  });

  it('lead to Vertex by project and location', () => {
    const vertex = vertexAddress({
      GOOGLE_CLOUD_PROJECT: 'my-project',
      GOOGLE_CLOUD_LOCATION: 'us-central1',
    });
    expect(vertex('gemini-3-pro', 'generateContent').href).toBe(
      'https://us-central1-aiplatform.googleapis.com/v1beta1/projects/my-project/locations/us-central1' +
        '/publishers/google/models/gemini-3-pro:generateContent',
    );
  });

  it.each(['http://example.com', 'ftp://127.0.0.1', 'not a url'])(
    'are refused when %s would send a key unencrypted',
    (url) => {
      expect(() => geminiAddress({ GOOGLE_GEMINI_BASE_URL: url })).toThrow('GOOGLE_GEMINI_BASE_URL');
    },
  );

  it('do not repeat the password of a refused address', () => {
    expect(() => geminiAddress({ GOOGLE_GEMINI_BASE_URL: 'http://me:hunter2@example.com' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });
});
