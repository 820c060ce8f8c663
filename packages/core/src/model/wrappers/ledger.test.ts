import {
  chunk,
  cut,
  type ModelServer,
  silence,
  startModelServer,
  text,
  usage,
  waitUntil,
} from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FatalBudgetError } from '../../base/errors.js';
import { HttpClient } from '../../platform/net/http.js';
import { createGatewayAuthorizer } from '../auth/api-key.js';
import type { ContentGenerator, GenerateRequest, GenerateResponse } from '../content-generator.js';
import { GeminiApi } from '../gemini/client.js';
import { geminiAddress } from '../gemini/endpoint.js';
import { Ledger } from '../ledger.js';
import { LedgerGenerator } from './ledger.js';

const request: GenerateRequest = {
  model: 'gemini-3.8-flash',
  messages: [{ role: 'user', origin: 'prompt', parts: [{ text: 'hi' }] }],
  role: 'main',
  promptId: 'p',
};
const counted = (prompt: number, candidates = 0) => ({
  candidates: [{ content: { role: 'model', parts: [{ text: 'x' }] } }],
  usageMetadata: { promptTokenCount: prompt, candidatesTokenCount: candidates },
});
const never = new AbortController().signal;

let server: ModelServer;
let http: HttpClient;
let ledger: Ledger;
let asked: string[];
let budget: { isUsedUp: boolean };
let generator: LedgerGenerator;
beforeEach(async () => {
  server = await startModelServer();
  http = new HttpClient();
  const endpoint = {
    address: geminiAddress({ GOOGLE_GEMINI_BASE_URL: server.url }),
    authorizer: createGatewayAuthorizer({ env: { GEMINI_API_KEY: 'k' } }),
    customHeaders: {},
    userAgent: 'test',
  };
  ledger = new Ledger({ priceOf: () => undefined });
  asked = [];
  budget = { isUsedUp: false };
  generator = new LedgerGenerator(new GeminiApi(endpoint, http), ledger, (model) => {
    asked.push(model);
    if (budget.isUsedUp) throw new FatalBudgetError('used up');
  });
});
afterEach(async () => {
  http.close();
  await server.close();
});

async function read(signal = never): Promise<GenerateResponse[]> {
  const all: GenerateResponse[] = [];
  for await (const item of generator.generateContentStream(request, signal)) all.push(item);
  return all;
}

describe('LedgerGenerator', () => {
  it('records the last counts of a stream once, under model and role', async () => {
    server.replies([
      chunk(counted(7, 1)),
      text('more'),
      usage({ promptTokenCount: 7, candidatesTokenCount: 4 }),
    ]);
    await read();
    expect(ledger.rows()).toMatchObject([
      {
        model: 'gemini-3.8-flash',
        role: 'main',
        calls: 1,
        tokens: { prompt: 7, candidates: 4, total: 11 },
      },
    ]);
  });

  it('has recorded them when the reader continues', async () => {
    server.replies([text('a'), usage({ promptTokenCount: 3, totalTokenCount: 3 })]);
    await read();
    expect(ledger.totalTokens).toBe(3);
  });

  it('records the tokens so far when the reader stops early', async () => {
    server.replies([chunk(counted(9)), silence()]);
    for await (const _ of generator.generateContentStream(request, never)) break;
    expect(ledger.totals()).toMatchObject({ calls: 1, tokens: { prompt: 9 } });
  });

  it('records the tokens so far when the connection breaks', async () => {
    let seen = () => {};
    server.replies([chunk(counted(9)), waitUntil(new Promise<void>((resolve) => (seen = resolve))), cut()]);
    const reading = (async () => {
      for await (const _ of generator.generateContentStream(request, never)) seen();
    })();
    await expect(reading).rejects.toThrow();
    expect(ledger.totals()).toMatchObject({ calls: 1, tokens: { prompt: 9 } });
  });

  it('records the tokens so far when the request is aborted', async () => {
    server.replies([chunk(counted(9)), silence()]);
    const controller = new AbortController();
    const reading = (async () => {
      for await (const _ of generator.generateContentStream(request, controller.signal)) controller.abort();
    })();
    await expect(reading).rejects.toThrow();
    expect(ledger.totals()).toMatchObject({ calls: 1, tokens: { prompt: 9 } });
  });

  it('does not count a refused request as a call', async () => {
    await expect(read()).rejects.toThrow('no reply');
    expect(ledger.totals().calls).toBe(0);
  });

  it('records whole answers, but neither token counts nor embeddings', async () => {
    server.replies([text('a'), usage({ promptTokenCount: 2, candidatesTokenCount: 1 })]);
    await generator.generateContent({ ...request, role: 'utility_router' }, never);
    await generator.countTokens(request, never);
    await generator.embedContent({ model: 'gemini-embedding-001', texts: ['a'] }, never);
    expect(ledger.rows()).toMatchObject([{ role: 'utility_router', calls: 1, tokens: { total: 3 } }]);
  });

  it('checks the budget before every call and sends nothing once it is used up', async () => {
    server.replies([text('a')]);
    await read();
    budget.isUsedUp = true;
    await expect(read()).rejects.toThrow(FatalBudgetError);
    await expect(generator.generateContent(request, never)).rejects.toThrow(FatalBudgetError);
    expect(asked).toEqual(Array(3).fill('gemini-3.8-flash'));
    expect(server.requests).toHaveLength(1);
  });

  it('passes on the same chunks, and ends the inner stream when the reader leaves', async () => {
    const chunks = [counted(1), counted(2)];
    let ended = false;
    const inner = {
      async *generateContentStream() {
        try {
          yield* chunks;
        } finally {
          ended = true;
        }
      },
    } as Partial<ContentGenerator> as ContentGenerator;
    const counting = new LedgerGenerator(inner, ledger, () => {});
    for await (const item of counting.generateContentStream(request, never)) {
      expect(item).toBe(chunks[0]);
      break;
    }
    expect(ended).toBe(true);
    expect(ledger.totalTokens).toBe(1);
  });
});
