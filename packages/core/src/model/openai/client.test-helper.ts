/** A client that talks to a scripted server, and readers of its answers. */
import { type OpenAiServer, type OpenAiStyle, type Script, startOpenAiServer } from '@gemini-cli/test-utils';
import { onTestFinished } from 'vitest';
import { HttpClient } from '../../platform/net/http.js';
import { textOf } from '../../protocol/messages.js';
import type { GenerateRequest, GenerateResponse } from '../content-generator.js';
import { partsOf } from '../content-generator.js';
import type { Provider } from '../providers.js';
import { OpenAiApi } from './client.js';

export const look = {
  name: 'look',
  description: 'looks',
  parametersJsonSchema: {
    type: 'object' as const,
    properties: { path: { type: 'string' as const } },
    required: ['path'],
  },
};
export const request: GenerateRequest = {
  model: 'test-model',
  messages: [{ role: 'user', origin: 'prompt', parts: [{ text: 'hi' }] }],
  systemInstruction: 'be brief',
  tools: [look],
  settings: { temperature: 1, topK: 64 },
  role: 'main',
  promptId: 'p',
};

interface Bed {
  server: OpenAiServer;
  api: OpenAiApi;
  notices: string[];
  answer(script: Script, asked?: GenerateRequest): Promise<GenerateResponse[]>;
}

export async function bed(style: OpenAiStyle = {}, changes: Partial<Provider> = {}): Promise<Bed> {
  const server = await startOpenAiServer(style);
  const http = new HttpClient();
  onTestFinished(() => http.close());
  const notices: string[] = [];
  const api = new OpenAiApi({ ...providerAt(server.url), ...changes }, http, 'GeminiCLI/1.2.3', (message) =>
    notices.push(message),
  );
  const answer = (script: Script, asked = request) => {
    server.replies(script);
    return collect(api, asked);
  };
  return { server, api, notices, answer };
}

function providerAt(url: string): Provider {
  return {
    id: 'ollama',
    type: 'openai',
    baseUrl: new URL(url),
    apiKey: 'secret',
    headers: { 'x-mine': '1' },
    supportsTools: true,
    supportsImages: true,
    isLocal: true,
  };
}

export async function collect(api: OpenAiApi, asked: GenerateRequest, signal = new AbortController().signal) {
  const all: GenerateResponse[] = [];
  for await (const item of api.generateContentStream(asked, signal)) all.push(item);
  return all;
}

export const last = (all: GenerateResponse[]) => all.at(-1)?.candidates?.[0];
export const textIn = (all: GenerateResponse[]) => textOf(all.flatMap(partsOf));
export const callsIn = (all: GenerateResponse[]) =>
  all.flatMap(partsOf).flatMap((part) => part.functionCall ?? []);
