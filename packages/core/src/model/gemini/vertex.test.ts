import { describe, expect, it } from 'vitest';
import { vertexTarget, vertexUrl } from './vertex.js';

const address = (env: NodeJS.ProcessEnv, project: string | undefined = 'my-project') =>
  vertexUrl(vertexTarget(env, project), 'gemini-3-pro-preview', 'streamGenerateContent?alt=sse').toString();
const PATH = (location: string) =>
  `/v1beta1/projects/my-project/locations/${location}/publishers/google/models/gemini-3-pro-preview:streamGenerateContent?alt=sse`;

describe('the address of Vertex AI', () => {
  it.each([
    ['us-central1', 'https://us-central1-aiplatform.googleapis.com'],
    ['global', 'https://aiplatform.googleapis.com'],
    ['us', 'https://aiplatform.us.rep.googleapis.com'],
    ['eu', 'https://aiplatform.eu.rep.googleapis.com'],
  ])('is right for %s', (location, host) => {
    expect(address({ GOOGLE_CLOUD_LOCATION: location })).toBe(host + PATH(location));
  });

  it('has no project with a key (express)', () => {
    const expected =
      'https://aiplatform.googleapis.com/v1beta1/publishers/google/models/gemini-3-pro-preview:streamGenerateContent?alt=sse';
    expect(address({ GOOGLE_API_KEY: 'k', GOOGLE_CLOUD_LOCATION: 'us-central1' })).toBe(expected);
  });

  it('can be replaced, with its version', () => {
    const env = {
      GOOGLE_CLOUD_LOCATION: 'us-central1',
      GOOGLE_VERTEX_BASE_URL: 'https://proxy.example/vertex/',
      GOOGLE_GENAI_API_VERSION: 'v1',
    };
    expect(address(env)).toBe(`https://proxy.example/vertex${PATH('us-central1').replace('v1beta1', 'v1')}`);
    const local = { GOOGLE_CLOUD_LOCATION: 'global', GOOGLE_VERTEX_BASE_URL: 'http://127.0.0.1:8080' };
    expect(address(local)).toBe(`http://127.0.0.1:8080${PATH('global')}`);
  });

  it.each(['http://proxy.example', 'nonsense', 'file:///etc/passwd'])('is not replaced by %s', (base) => {
    expect(() => address({ GOOGLE_CLOUD_LOCATION: 'global', GOOGLE_VERTEX_BASE_URL: base })).toThrow(
      'GOOGLE_VERTEX_BASE_URL',
    );
  });

  it.each(['evil.example/', 'evil.example#', 'a@evil.example', 'us central1', '-x', ''])(
    'does not lead to another host with the location %j',
    (location) => {
      expect(() => address({ GOOGLE_CLOUD_LOCATION: location })).toThrow('GOOGLE_CLOUD_LOCATION');
    },
  );
});
