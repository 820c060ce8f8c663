/** After any server fault the conversation stays valid: the next prompt is answered, in every protocol. */
import {
  anthropicError,
  anthropicErrorEvent,
  apiError,
  callTool,
  chunk,
  createTestConfig,
  cut,
  errorInside,
  type ModelServer,
  openAiError,
  raw,
  respond,
  type Script,
  sendPrompt,
  startAnthropicServer,
  startModelServer,
  startOpenAiServer,
  text,
  wrongContentType,
} from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../platform/clock.js';
import type { AgentEventBody } from '../../protocol/agent-events.js';

beforeEach(() => {
  // Only the time between two tries is skipped.
  vi.spyOn(systemClock, 'sleep').mockImplementation(async () => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** What the scripted servers have in common. */
interface Server {
  replies(...scripts: (() => Script)[]): unknown;
  readonly requests: readonly { body: unknown }[];
  /** Rules of the API that were broken; only the one of Anthropic knows them. */
  readonly refused?: readonly string[];
}

interface Wire {
  model: string;
  start: () => Promise<{ server: Server; google?: ModelServer }>;
  refusal: (status: number) => Script;
  inside: Script;
}

const WIRES: Record<string, Wire> = {
  Gemini: {
    model: 'gemini-2.5-flash',
    start: async () => {
      const server = await startModelServer();
      onTestFinished(() => server.close());
      return { server, google: server };
    },
    refusal: (status) => [apiError(status, 'the reason')],
    inside: [text('so'), errorInside(503, 'busy')],
  },
  OpenAI: {
    model: 'openai/gpt-x',
    start: async () => {
      const server = await startOpenAiServer();
      vi.stubEnv('OPENAI_BASE_URL', server.url);
      vi.stubEnv('OPENAI_API_KEY', 'test');
      return { server };
    },
    refusal: (status) => [openAiError(status, 'the reason')],
    inside: [text('so'), chunk({ error: { message: 'busy', code: 503 } })],
  },
  Anthropic: {
    model: 'anthropic/claude-x',
    start: async () => {
      const server = await startAnthropicServer();
      vi.stubEnv('ANTHROPIC_BASE_URL', server.url);
      vi.stubEnv('ANTHROPIC_API_KEY', 'test');
      onTestFinished(() => server.close());
      return { server };
    },
    refusal: (status) => [anthropicError(status, 'api_error', 'the reason')],
    inside: [text('so'), anthropicErrorEvent('overloaded_error', 'busy')],
  },
};

const WELL: Script = [text('all is well')];
const WRITE = { file_path: 'half.txt', content: 'x' };

const FAULTS: [string, (wire: Wire) => Script][] = [
  ...[400, 401, 403, 404, 429, 500, 503, 529].map((status): [string, (wire: Wire) => Script] => [
    String(status),
    (wire) => wire.refusal(status),
  ]),
  ['an error inside a 200', (wire) => wire.inside],
  ['a web page', () => [wrongContentType()]],
  ['an empty body', () => [respond(200, '', { 'content-type': 'text/event-stream' })]],
  ['a cut before the first word', () => [cut()]],
  ['a cut in the middle of the text', () => [text('so'), text(' far'), cut()]],
  ['a cut after a call', () => [text('so'), callTool('write_file', WRITE, 'c1'), cut()]],
  ['nothing but garbage', () => [raw(Buffer.from('data: \xff{{\n\n', 'latin1')), cut()]],
  ['an empty answer', () => [text(' ')]],
];

describe.each(Object.entries(WIRES))('a conversation with %s', (_name, wire) => {
  async function session() {
    const { server, google } = await wire.start();
    const config = await createTestConfig({ model: wire.model, maxAttempts: 2 }, google && { model: google });
    /** Every request of the prompt gets the next script, the last one again and again. */
    const ask = async (prompt: string, ...scripts: Script[]) => {
      const rest = [...scripts];
      next = () => (rest.length > 1 ? rest.shift() : rest[0]) ?? [];
      return summary(await sendPrompt(config, prompt));
    };
    let next: () => Script = () => [];
    server.replies(...Array.from({ length: 20 }, () => () => next()));
    return { server, ask, history: () => config.getGeminiClient().getChat().getHistory() };
  }

  it.each(FAULTS)('removes the first prompt after %s, and answers the next one', async (_what, fault) => {
    const { server, ask, history } = await session();
    const failed = await ask('the lost prompt', fault(wire));
    expect(failed.end).toBe('error');
    expect(failed.error).toContain(wire.model);
    expect(server.requests.length).toBeLessThanOrEqual(4);
    expect(history().map(({ origin }) => origin)).toEqual(['context']);
    expect(await ask('the next prompt', WELL)).toMatchObject({ end: 'completed', content: 'all is well' });
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect(sent).toContain('the next prompt');
    expect(sent).not.toContain('the lost prompt');
    expect(server.refused ?? []).toEqual([]);
  });

  it('keeps the results of tools when a later request fails, and answers the next prompt', async () => {
    const { server, ask, history } = await session();
    const look = [callTool('list_directory', { dir_path: '.' }, 'c1')];
    const failed = await ask('look around', look, wire.refusal(400));
    expect(failed).toMatchObject({ end: 'error', results: ['success'] });
    expect(history().map(({ origin }) => origin)).toEqual(['context', 'prompt', 'model', 'tool_response']);
    expect(await ask('and now?', WELL)).toMatchObject({ end: 'completed', content: 'all is well' });
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    for (const part of ['look around', 'list_directory', 'and now?']) expect(sent).toContain(part);
    expect(server.refused ?? []).toEqual([]);
  });

  it('gives two calls with one id two answers', async () => {
    const { server, ask } = await session();
    const call = (path: string) => callTool('read_file', { file_path: path }, 'same');
    const asked = await ask('read', [call('a.txt'), call('b.txt')], WELL);
    expect(asked).toMatchObject({ end: 'completed', results: ['error', 'error'] });
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect(sent.split('same_2')).toHaveLength(3);
    expect(server.refused ?? []).toEqual([]);
  });
});

interface Summary {
  end: string | undefined;
  error: string;
  content: string;
  results: string[];
}

function summary(events: readonly AgentEventBody[]): Summary {
  const result: Summary = { end: undefined, error: '', content: '', results: [] };
  for (const event of events) {
    if (event.type === 'content') result.content += event.text;
    else if (event.type === 'retry' && event.discardsOutput) result.content = '';
    else if (event.type === 'error') result.error += event.error.message;
    else if (event.type === 'tool_finished') result.results.push(event.call.status);
    else if (event.type === 'turn_finished') result.end = event.reason;
  }
  return result;
}
