/** Server faults in every protocol: bounded retries, one clear message, the documented exit code. */
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  callTool,
  cut,
  delay,
  type RunResult,
  raw,
  respond,
  type Script,
  type Step,
  silence,
  testRig,
  text,
  wrongContentType,
} from '../test-utils.js';
import { forAllWires, type Wire, wireRig } from '../wires.js';

const attempts = (maxAttempts: number) => ({ general: { maxAttempts } });

/** The message in the last event of `stream-json`. */
function failureIn(run: RunResult): string {
  const error = run.events().at(-1)?.['error'];
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
}

interface Refusal {
  script: (wire: Wire) => Script;
  /** HTTP status in the message and `error.code`; 0: no status was received. */
  status: number;
  /** The server's message, and the remedy. */
  says: RegExp;
  exitCode?: number;
}

const AT_ONCE = { 'retry-after': '0' };
const error = (status: number, headers?: Record<string, string>) => (wire: Wire) => [
  wire.error(status, 'the reason', headers),
];

describe('A permanent refusal', () => {
  it.each<[string, Refusal]>([
    ['400', { script: error(400), status: 400, says: /the reason.*change it, or choose another model/ }],
    ['401', { script: error(401), status: 401, says: /the reason.*Check .*key/, exitCode: 41 }],
    ['403', { script: error(403), status: 403, says: /the reason.*(Check the key|choose another)/ }],
    ['404', { script: error(404), status: 404, says: /the reason.*Check the name of the model/ }],
    [
      '429 with an hour to wait',
      {
        script: error(429, { 'retry-after': '3600' }),
        status: 429,
        says: /the reason.*Quota used up until .*\d\d:\d\d; choose another model with --model/,
      },
    ],
    [
      'a redirect, after which no key is sent',
      {
        script: () => [respond(307, '', { location: '/v1/messages' })],
        status: 307,
        says: /points to \/v1\/messages.*Check the base URL/,
      },
    ],
    [
      'an error of ten megabytes',
      {
        script: () => [respond(400, `{"error":{"message":"${'x'.repeat(10_000_000)}"}}`)],
        status: 400,
        says: /^.{100,1500}$/,
      },
    ],
    [
      'a bad request inside a 200',
      { script: (wire) => [wire.inside('bad', 'the reason')], status: 400, says: /the reason.*change it/ },
    ],
    ['a web page', { script: () => [wrongContentType()], status: 0, says: /text\/html.*Check the/ }],
    [
      'a download',
      {
        script: () => [wrongContentType('application/octet-stream', '\0\x01\x02')],
        status: 0,
        says: /octet-stream.*Check the/,
      },
    ],
    ['nothing at all', { script: () => [respond(200, '')], status: 0, says: /no content type.*Check the/ }],
  ])('ends the run at once: %s', async (_what, { script, status, says, exitCode = 1 }) => {
    await forAllWires(async (wire) => {
      const { rig, server, args } = await wireRig(wire);
      server.replies(script(wire));
      const run = await rig.cli('-p', 'x', ...args, '-o', 'json');
      expect(run.exitCode, run.stderr).toBe(exitCode);
      expect(server.requests).toHaveLength(1);
      const { error, response } = run.json();
      expect(error?.message).toMatch(wire.shown);
      if (status) expect(error?.message).toContain(`HTTP ${status}`);
      expect(error?.message).toMatch(says);
      // Refused credentials have their own exit code, which replaces the status.
      expect(error?.code).toBe(exitCode === 41 ? 41 : status);
      expect(response ?? '').toBe('');
      expect(run.stdout + run.stderr).not.toContain('sk-of-the-test');
    });
  });
});

describe('A temporary failure', () => {
  it.each([
    ['429', error(429, AT_ONCE), 429],
    ['500', error(500, AT_ONCE), 500],
    ['503', error(503, AT_ONCE), 503],
    ['529', error(529, AT_ONCE), 529],
    [
      'a web page with 502',
      () => [respond(502, '<html><style>p{}</style><p>the\n reason</p></html>', AT_ONCE)],
      502,
    ],
  ])('is retried, and the end has its event: %s', async (_what, script, status) => {
    await forAllWires(async (wire) => {
      const { rig, server, args } = await wireRig(wire, { settings: attempts(2) });
      server.replies(script(wire), script(wire));
      const run = await rig.cli('-p', 'x', ...args, '-o', 'stream-json');
      expect(run.exitCode, run.stderr).toBe(1);
      expect(server.requests).toHaveLength(2);
      expect(run.stderr).toMatch(/attempt 1\/2.*retrying in/);
      const events = run.events();
      expect(events.filter(({ type }) => type === 'result')).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: 'result', status: 'error', error: { type: 'ApiError' } });
      const message = failureIn(run);
      expect(message).toMatch(wire.shown);
      expect(message).toContain(`HTTP ${status}`);
      expect(message).toMatch(/the reason.*Try again later, or choose another model/);
    });
  });

  it('with 429 and without a hint does not wait after the last attempt', async () => {
    await forAllWires(async (wire) => {
      const { rig, server, args } = await wireRig(wire, { settings: attempts(1) });
      server.replies([wire.error(429, 'the reason')]);
      const run = await rig.cli('-p', 'x', ...args);
      expect(run.exitCode).toBe(1);
      expect(run.stderr.trim().split('\n')).toEqual([expect.stringMatching(/the reason.*Try again later/)]);
      expect(server.requests).toHaveLength(1);
    });
  });
});

describe('A broken connection', () => {
  /** Sends its bytes as soon as a client connects, and hangs up. */
  async function rudeServer(answer: string | Uint8Array): Promise<string> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('data', () => (answer.length > 0 ? socket.end(answer) : socket.destroy()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  it.each([
    ['cut before the first byte', '', /connection lost\..*check your network/],
    [
      'garbage in place of HTTP',
      Uint8Array.from({ length: 600 }, (_, i) => (i * 7) % 256),
      /not HTTP.*address/,
    ],
  ])('is reported: %s', async (_what, answer, says) => {
    const url = await rudeServer(answer);
    await forAllWires(async (wire) => {
      const rig = await testRig({ settings: attempts(1), env: wire.env(url) });
      const run = await rig.cli('-p', 'x', '-m', wire.model, '-o', 'json');
      expect(run.exitCode, run.stderr).toBe(1);
      const { error } = run.json();
      expect(error).toMatchObject({ type: 'ApiError', code: expect.stringMatching(/ECONNRESET|HPE_/) });
      expect(error?.message).toMatch(wire.shown);
      expect(error?.message).toMatch(says);
    });
  });

  function* drip(): Script {
    for (let count = 0; count < 500; count++) yield* [raw(': still here\n\n'), delay(20)];
  }

  it.each<[string, () => Script, Record<string, string>, RegExp]>([
    [
      'silence after the headers',
      () => [silence()],
      { GEMINI_CLI_STREAM_TIMEOUT: '0.5' },
      /no more data from .* for 0\.5 s\. GEMINI_CLI_STREAM_TIMEOUT/,
    ],
    [
      'an endless drip',
      drip,
      { GEMINI_CLI_REQUEST_TIMEOUT: '1' },
      /took longer than 1 s\. GEMINI_CLI_REQUEST_TIMEOUT/,
    ],
  ])('times out: %s', async (_what, script, env, says) => {
    await forAllWires(async (wire) => {
      const { rig, server, args } = await wireRig(wire, { settings: attempts(1), env });
      server.replies(script());
      const run = await rig.cli('-p', 'x', ...args, '-o', 'json');
      expect(run.exitCode, run.stderr).toBe(1);
      expect(run.json().error).toMatchObject({ type: 'ApiError', code: 'ETIMEDOUT' });
      expect(run.json().error?.message).toMatch(wire.shown);
      expect(run.json().error?.message).toMatch(says);
    });
  });
});

describe('a stream of keep-alives without content', () => {
  const KEEP_ALIVES = [
    ': still here\n\n',
    'event: ping\ndata: {"type":"ping"}\n\n',
    'data: {}\n\n',
    'data: {"choices":[]}\n\n',
    'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n',
    'data: {"candidates":[{"content":{"role":"model","parts":[{"text":""}]}}]}\n\n',
    'data: {"usageMetadata":{"promptTokenCount":3}}\n\n',
    'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""}}\n\n',
  ];

  function* keptAlive(count: number, last?: Step): Script {
    for (let index = 0; index < count; index++)
      yield* [raw(KEEP_ALIVES[index % KEEP_ALIVES.length] ?? ''), delay(20)];
    if (last) yield last;
  }

  it('is given up with a message after the documented attempts', async () => {
    await forAllWires(async (wire) => {
      const env = { GEMINI_CLI_STREAM_TIMEOUT: '0.5' };
      const { rig, server, args } = await wireRig(wire, { settings: attempts(2), env });
      // Some of these count as the start of an answer; a broken stream gets four attempts.
      server.replies(...Array.from({ length: 4 }, () => keptAlive(500)));
      const run = await rig.cli('-p', 'x', ...args, '-o', 'json');
      expect(run.exitCode, run.stderr).toBe(1);
      expect(server.requests.length).toBeGreaterThanOrEqual(2);
      expect(run.json().error).toMatchObject({ type: 'ApiError', code: 'ETIMEDOUT' });
      expect(run.json().error?.message).toMatch(wire.shown);
      expect(run.json().error?.message).toMatch(
        /nothing but keep-alives from .* for 0\.5 s\. GEMINI_CLI_STREAM_TIMEOUT/,
      );
    });
  }, 60_000);

  it('in the middle of an answer is requested again', async () => {
    await forAllWires(async (wire) => {
      const { rig, server, args } = await wireRig(wire, { env: { GEMINI_CLI_STREAM_TIMEOUT: '1' } });
      const good = [text('recovered')];
      server.replies([text('some'), keptAlive(500)], good, good, good);
      const run = await rig.cli('-p', 'x', ...args, '-o', 'json');
      expect(run.exitCode, run.stderr).toBe(0);
      expect(run.json().response).toBe('recovered');
      expect(run.stderr).toMatch(/nothing but keep-alives from .* for 1 s.*attempt 1\/\d+, retrying in/);
    });
  }, 60_000);

  it('between pieces of content is accepted, however long the whole takes', async () => {
    await forAllWires(async (wire) => {
      const { rig, server, args } = await wireRig(wire, { env: { GEMINI_CLI_STREAM_TIMEOUT: '3' } });
      const slow = Array.from({ length: 6 }, () => [...keptAlive(30), text('x')]);
      server.replies(slow);
      const run = await rig.cli('-p', 'x', ...args, '-o', 'json');
      expect(run.exitCode, run.stderr).toBe(0);
      expect(run.json().response).toBe('xxxxxx');
      expect(run.stderr).toBe('');
    });
  }, 60_000);
});

describe('A broken stream', () => {
  const write = callTool('write_file', { file_path: 'half.txt', content: 'x' }, 'c');

  it.each<[string, (wire: Wire) => Script]>([
    ['cut in the middle of the text', () => [text('some '), text('of it'), cut()]],
    ['cut in the middle of a call', (wire) => [text('see'), wire.halfCall, cut()]],
    ['cut after a call, before the end', () => [text('see'), write, cut()]],
    ['half a character', () => [text('see'), raw(Buffer.from('data: {"x":"é').subarray(0, -1)), cut()]],
    ['an overload inside a 200', (wire) => [text('some'), wire.inside('overloaded', 'busy')]],
  ])('is requested again: %s', async (_what, script) => {
    await forAllWires(async (wire) => {
      const { rig, server, args } = await wireRig(wire);
      server.replies(script(wire), [text('recovered')]);
      const run = await rig.cli('-p', 'x', ...args, '--approval-mode', 'yolo', '-o', 'json');
      expect(run.exitCode, run.stderr).toBe(0);
      expect(run.json().response).toBe('recovered');
      expect(run.json().stats?.tools.totalCalls).toBe(0);
      expect(rig.exists('half.txt')).toBe(false);
      expect(server.requests).toHaveLength(2);
    });
  });

  it('that falls silent in the middle of the text is requested again', async () => {
    await forAllWires(async (wire) => {
      const { rig, server, args } = await wireRig(wire, { env: { GEMINI_CLI_STREAM_TIMEOUT: '1' } });
      // Several good answers: a slow machine may time out on one of them as well.
      const good = [text('recovered')];
      server.replies([text('some'), text(' of it'), silence()], good, good, good);
      const run = await rig.cli('-p', 'x', ...args, '-o', 'json');
      expect(run.exitCode, run.stderr).toBe(0);
      expect(run.json().response).toBe('recovered');
      expect(run.stderr).toMatch(/no more data from .* for 1 s.*attempt 1\/\d+, retrying in/);
    });
  });

  it('without end is requested four times, then reported once; none of its calls ran', async () => {
    const cases: [Script | ((wire: Wire) => Script), string, RegExp][] = [
      [[text('a'), text('b'), cut()], 'ApiError', /connection lost/],
      [(wire) => [text('a'), ...wire.halfCall, cut()], 'ApiError', /connection lost/],
      [[text(' ')], 'INVALID_STREAM', /empty answer.*choose another model/],
    ];
    await Promise.all(
      cases.map(([script, type, says]) =>
        forAllWires(async (wire) => {
          const { rig, server, args } = await wireRig(wire);
          const reply = typeof script === 'function' ? script(wire) : script;
          server.replies(reply, reply, reply, reply);
          const run = await rig.cli('-p', 'x', ...args, '--approval-mode', 'yolo', '-o', 'stream-json');
          expect(run.exitCode, run.stderr).toBe(1);
          expect(server.requests).toHaveLength(4);
          expect(run.events().at(-1)).toMatchObject({ type: 'result', status: 'error', error: { type } });
          const message = failureIn(run);
          expect(message).toContain(wire.model);
          expect(message).toMatch(says);
          expect(rig.exists('half.txt')).toBe(false);
        }),
      ),
    );
  });
});

describe('A stream with invalid parts', () => {
  it.each<[string, Script]>([
    ['an event that is not JSON', [text('a'), raw('data: {"cho\n\nevent: ping\n\n: hm\n\n'), text('b')]],
    [
      'bytes that are not UTF-8',
      [text('a'), raw(Buffer.from('data: \xff\xfe\xc3\n\n', 'latin1')), text('b')],
    ],
    ['JSON of another kind', [text('a'), raw('data: [1,null]\n\ndata: 7\n\ndata: null\n\n'), text('b')]],
  ])('is read without them: %s', async (_what, script) => {
    await forAllWires(async (wire) => {
      const { rig, server, args } = await wireRig(wire);
      server.replies(script);
      const run = await rig.cli('-p', 'x', ...args);
      expect({ code: run.exitCode, out: run.stdout }, run.stderr).toEqual({ code: 0, out: 'ab\n' });
    });
  });
});
