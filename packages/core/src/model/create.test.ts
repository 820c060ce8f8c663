import { startModelServer, tempDir, text } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { HttpClient } from '../platform/net/http.js';
import { Redactor } from '../platform/redaction/redact.js';
import { createModelPool, type GeneratorOptions } from './create.js';

type Given = Partial<GeneratorOptions> & { env?: Record<string, string> };

/** Asks a model server as a session with these settings would. @returns the headers of the request */
async function headersOf(model: string, { env, ...options }: Given) {
  const server = await startModelServer();
  server.replies([text('hello')]);
  const home = tempDir('create-');
  const http = new HttpClient();
  onTestFinished(async () => {
    http.close();
    await server.close();
    home.cleanup();
  });
  const pool = createModelPool({
    env: {
      GEMINI_CLI_HOME: home.path,
      GEMINI_FORCE_FILE_STORAGE: 'true',
      GOOGLE_GEMINI_BASE_URL: server.url,
      GOOGLE_VERTEX_BASE_URL: server.url,
      ...env,
    },
    version: '1',
    sessionId: 's',
    http,
    redactor: new Redactor(),
    ...options,
  });
  const message = { role: 'user' as const, origin: 'prompt' as const, parts: [{ text: 'hi' }] };
  const request = { model, messages: [message], role: 'main', promptId: 'p' };
  for await (const _ of pool.generateContentStream(request, new AbortController().signal));
  return server.lastRequest().headers;
}

const billing = { vertexAi: { requestType: 'shared', sharedRequestType: 'flex' } };

it('sends the billing settings to Vertex AI as headers', async () => {
  const headers = await headersOf('vertex/gemini-2.5-pro', { billing, env: { GOOGLE_API_KEY: 'k' } });
  expect(headers).toMatchObject({
    'x-vertex-ai-llm-request-type': 'shared',
    'x-vertex-ai-llm-shared-request-type': 'flex',
  });
});

it('sends no billing headers to the Gemini API', async () => {
  const headers = await headersOf('gemini-2.5-pro', { billing, env: { GEMINI_API_KEY: 'k' } });
  expect(JSON.stringify(headers)).not.toContain('vertex');
});

it('needs no key when security.auth.useExternal says that it is added outside', async () => {
  const auth = { selectedType: 'gemini-api-key' };
  await expect(headersOf('gemini-2.5-pro', { auth })).rejects.toThrow('there is no key');
  const headers = await headersOf('gemini-2.5-pro', { auth: { ...auth, useExternal: true } });
  expect(headers['x-goog-api-key']).toBe('');
});
