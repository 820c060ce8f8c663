import { request as httpRequest } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import {
  announcedAs,
  apiError,
  blocked,
  callTool,
  chunks,
  cut,
  delay,
  errorInside,
  finish,
  malformedCall,
  pieces,
  raw,
  silence,
  text,
  thought,
  together,
  usage,
  version,
  waitUntil,
  wrongContentType,
} from './model-script.js';
import { type ModelServer, startModelServer } from './model-server.js';

const STREAM = '/v1beta/models/some-model:streamGenerateContent?alt=sse';
const DEFAULTS = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };

async function server(): Promise<ModelServer> {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  return model;
}

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
  events: () => unknown[];
  pieces: number;
  broken: boolean;
}

function call(
  model: ModelServer,
  path = STREAM,
  body: unknown = { contents: [] },
  onData = () => {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      model.url + path,
      { method: 'POST', headers: { 'x-goog-api-key': 'k' } },
      (response) => {
        const parts: Buffer[] = [];
        const finished = (broken: boolean) => {
          const whole = Buffer.concat(parts).toString('utf8');
          const events = () =>
            [...whole.matchAll(/^data: (.*)\r$/gm)].map((match) => JSON.parse(match[1] ?? ''));
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, body: whole, events, pieces: parts.length, broken });
        };
        response.on('data', (part: Buffer) => {
          parts.push(part);
          onData();
        });
        response.on('end', () => finished(false));
        response.on('error', () => finished(true));
      },
    );
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}

it('streams chunks and puts finish reason and usage on the last one', async () => {
  const model = await server();
  model.replies([thought('**Plan** hm'), text('a'), chunks(['b', 'c'])]);
  const answer = await call(model);
  expect(answer.headers).toMatchObject({ 'content-type': 'text/event-stream' });
  expect(answer.events()).toEqual([
    {
      candidates: [{ content: { role: 'model', parts: [{ text: '**Plan** hm', thought: true }] }, index: 0 }],
    },
    { candidates: [{ content: { role: 'model', parts: [{ text: 'a' }] }, index: 0 }] },
    { candidates: [{ content: { role: 'model', parts: [{ text: 'b' }] }, index: 0 }] },
    {
      candidates: [{ content: { role: 'model', parts: [{ text: 'c' }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: DEFAULTS,
    },
  ]);
});

it('plays replies in order, then those of the function, and records the requests', async () => {
  const model = await server();
  model.replies([text('first')]).repeat(2, (round) => [text(`round ${round}`)]);
  model.otherwise(({ body }) => [text(`you said ${body.contents[0]?.parts[0]?.text}`)]);
  const bodies = [];
  for (let turn = 0; turn < 4; turn++) {
    bodies.push((await call(model, STREAM, { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] })).body);
  }
  expect(bodies.map((body) => /"text":"([^"]*)"/.exec(body)?.[1])).toEqual([
    'first',
    'round 0',
    'round 1',
    'you said hi',
  ]);
  expect(model.requests).toHaveLength(4);
  expect(model.requests[0]).toMatchObject({
    index: 0,
    path: STREAM,
    model: 'some-model',
    method: 'streamGenerateContent',
    headers: { 'x-goog-api-key': 'k' },
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  });
  expect(await model.requests[0]?.hungUp).toBe(false);
});

it('names the call without a scripted reply', async () => {
  const model = await server();
  const answer = await call(model, STREAM, { contents: [{ role: 'user', parts: [{ text: 'surprise' }] }] });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatch(/no reply for call 1: POST .*streamGenerateContent.*surprise/);
  expect(model.unexpected).toHaveLength(1);
});

it('sends calls, several parts in one chunk, usage, version and other finish reasons', async () => {
  const model = await server();
  model.replies(
    [
      together(text('look'), callTool('glob', { pattern: '*' }, { id: 'x', thoughtSignature: 'sig' })),
      usage({ totalTokenCount: 3 }),
      version('m-001'),
    ],
    [finish('SAFETY')],
    [malformedCall('bad')],
    [blocked('PROHIBITED_CONTENT')],
  );
  expect((await call(model)).events()).toEqual([
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'look' },
              { functionCall: { id: 'x', name: 'glob', args: { pattern: '*' } }, thoughtSignature: 'sig' },
            ],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { totalTokenCount: 3 },
      modelVersion: 'm-001',
    },
  ]);
  expect((await call(model)).events()).toEqual([
    { candidates: [{ finishReason: 'SAFETY', index: 0 }], usageMetadata: DEFAULTS },
  ]);
  expect((await call(model)).events()).toEqual([
    {
      candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'bad', index: 0 }],
      usageMetadata: DEFAULTS,
    },
  ]);
  expect((await call(model)).events()).toEqual([
    { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: DEFAULTS },
  ]);
});

it('sends errors with hints, outside and inside a stream', async () => {
  const model = await server();
  model.replies(
    [apiError(429, 'slow down', { retryDelay: '0.05s', retryAfter: '1' })],
    [errorInside(503, 'full')],
  );
  const outside = await call(model);
  expect(outside.status).toBe(429);
  expect(outside.headers['retry-after']).toBe('1');
  expect(JSON.parse(outside.body)).toEqual({
    error: {
      code: 429,
      message: 'slow down',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.05s' }],
    },
  });
  const inside = await call(model);
  expect(inside.status).toBe(200);
  expect(inside.events()).toEqual([{ error: { code: 503, message: 'full', status: 'UNAVAILABLE' } }]);
});

it('cuts the connection after the bytes sent so far', async () => {
  const model = await server();
  model.replies([text('half'), text('way'), cut()]);
  const answer = await call(model);
  expect(answer.broken).toBe(true);
  expect(answer.body).toContain('half');
  expect(answer.body).toContain('way');
  expect(answer.body).not.toContain('finishReason');
  expect(await model.requests[0]?.hungUp).toBe(true);
});

it('splits characters in two, sends garbage and other content types', async () => {
  const model = await server();
  model.replies(
    [pieces(1, text('né€'))],
    [text('a'), raw('data: {"broken\r\n\r\n'), text('b')],
    [wrongContentType()],
    [announcedAs('application/octet-stream'), text('x')],
  );
  const split = await call(model);
  expect(split.pieces).toBeGreaterThan(20);
  expect(split.body).toContain('né€');
  expect((await call(model)).body).toMatch(/"a".*data: \{"broken\r\n\r\n.*"b"/s);
  const page = await call(model);
  expect([page.headers['content-type'], page.body]).toEqual([
    'text/html',
    '<html><body>Log in</body></html>',
  ]);
  expect((await call(model)).headers['content-type']).toBe('application/octet-stream');
});

it('stays silent until it is closed, and resolves when a request arrives', async () => {
  const model = await server();
  model.replies([text('first'), text('then'), silence()]);
  let sent = () => {};
  const heard = new Promise<void>((resolve) => {
    sent = resolve;
  });
  const pending = call(model, STREAM, { contents: [] }, sent);
  await expect(model.waitForRequest(1)).resolves.toMatchObject({ index: 0 });
  await heard;
  await model.close();
  const answer = await pending;
  expect(answer.broken).toBe(true);
  expect(answer.body).toContain('first');
});

it('waits for a delay or an event before it continues', async () => {
  const model = await server();
  let release = () => {};
  model.replies([
    delay(20),
    text('a'),
    waitUntil(
      new Promise<void>((resolve) => {
        release = resolve;
      }),
    ),
    text('b'),
  ]);
  const started = performance.now();
  const pending = call(model);
  await model.waitForRequest(1);
  release();
  await pending;
  expect(performance.now() - started).toBeGreaterThan(15);
});

it('answers whole responses, token counts and embeddings', async () => {
  const model = await server();
  model.replies([text('a'), text('b')]);
  const whole = await call(model, '/v1beta/models/m:generateContent');
  expect(JSON.parse(whole.body)).toEqual({
    candidates: [
      { content: { role: 'model', parts: [{ text: 'a' }, { text: 'b' }] }, finishReason: 'STOP', index: 0 },
    ],
    usageMetadata: DEFAULTS,
  });
  model.totalTokens = () => 77;
  expect(JSON.parse((await call(model, '/v1beta/models/m:countTokens')).body)).toEqual({ totalTokens: 77 });
  const embedded = await call(model, '/v1beta/models/m:batchEmbedContents', { requests: [{}, {}] });
  expect(JSON.parse(embedded.body)).toEqual({ embeddings: [{ values: [0, 1, 0] }, { values: [1, 1, 0] }] });
});

it('sends a large generated stream no faster than it is read', async () => {
  const model = await server();
  let made = 0;
  model.replies([
    chunks(
      (function* () {
        for (; made < 20_000; made++) yield 'x'.repeat(1000);
      })(),
    ),
  ]);
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(model.url + STREAM, { method: 'POST' }, (response) => {
      response.once('readable', () => {
        expect(made).toBeLessThan(20_000);
        response.destroy();
        resolve();
      });
    });
    request.on('error', reject);
    request.end('{}');
  });
  expect(await model.requests[0]?.hungUp).toBe(true);
});
