import { makeBus } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GroundingMetadata } from '../../model/content-generator.js';
import { processEnvironment } from '../../platform/environment.js';
import { PageServer } from '../../platform/net/page-server.test-helper.js';
import { PolicyEngine } from '../../policy/policy-engine.js';
import { ApprovalMode, PolicyDecision } from '../../protocol/confirmation.js';
import { ToolErrorType } from '../tool-error.js';
import { Kind } from '../tools.js';
import { WebFetchTool } from '../web-fetch/web-fetch.js';
import { WebFixture } from '../web-fixture.test-helper.js';
import { canSearchWeb, WebSearchTool } from './web-search.js';

let host: WebFixture;
let tool: WebSearchTool;
beforeEach(() => {
  host = new WebFixture();
  tool = new WebSearchTool(host, makeBus());
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const search = (query: string, signal = new AbortController().signal) =>
  tool.build({ query }).execute(signal);
const wrapped = (text: string) => `<untrusted_context>\n${text}\n</untrusted_context>`;
const grounded = (text: string, groundingMetadata: unknown) => {
  host.utility.script = () => ({
    text,
    candidate: { groundingMetadata: groundingMetadata as GroundingMetadata },
  });
};
const web = (name: string) => ({ web: { uri: `https://${name}.example/`, title: name } });

describe('google_web_search', () => {
  it('asks the provider once, with the query alone', async () => {
    await search('  what is new ');
    expect(host.utility.requests).toMatchObject([
      {
        alias: 'web-search',
        role: 'utility_tool',
        mainModel: host.model,
        messages: [{ role: 'user', parts: [{ text: 'what is new' }] }],
      },
    ]);
    expect(tool.kind).toBe(Kind.Search);
  });

  it('places citation markers by UTF-8 byte offsets and lists the sources', async () => {
    grounded('Zürich ist 日本. Ende 😀', {
      groundingChunks: [web('one'), web('two')],
      groundingSupports: [
        { segment: { endIndex: 19 }, groundingChunkIndices: [1, 0] },
        { segment: { endIndex: 29 }, groundingChunkIndices: [1] },
      ],
    });
    const result = await search('q');
    expect(result.llmContent).toBe(
      `Web search results for "q":\n\n${wrapped(
        'Zürich ist 日本.[1][2] Ende 😀[2]\n\nSources:\n[1] one (https://one.example/)\n[2] two (https://two.example/)',
      )}`,
    );
    expect(result.returnDisplay).toBe('Search results for "q" returned.');
  });

  it('counts from the start of the answer as it was sent', async () => {
    grounded('\n\nyes', {
      groundingChunks: [web('one')],
      groundingSupports: [{ segment: { endIndex: 5 }, groundingChunkIndices: [0] }],
    });
    expect((await search('q')).llmContent).toContain('\nyes[1]\n');
  });

  it.each([
    ['no list', 'nonsense'],
    ['wrong types', { groundingChunks: 'x', groundingSupports: 5 }],
    ['nulls', { groundingChunks: [null, { web: null }, {}], groundingSupports: [null, { segment: null }] }],
    [
      'offsets outside, inside a character, and sources that do not exist',
      {
        groundingChunks: [web('one')],
        groundingSupports: [
          { segment: { endIndex: 999 }, groundingChunkIndices: [0, 7, 'x'] },
          { segment: { endIndex: 2 }, groundingChunkIndices: [5] },
          { segment: { endIndex: -1 }, groundingChunkIndices: [0] },
          { segment: { endIndex: 'x' }, groundingChunkIndices: [0] },
        ],
      },
    ],
  ])('survives %s in the metadata', async (_what, metadata) => {
    grounded('aé', metadata);
    expect((await search('q')).llmContent).toMatch(/aé(\[1\])?\n/);
  });

  it('never places a marker inside a character', async () => {
    grounded('aé', {
      groundingChunks: [web('one')],
      groundingSupports: [{ segment: { endIndex: 2 }, groundingChunkIndices: [0] }],
    });
    expect((await search('q')).llmContent).toContain('a[1]é');
  });

  it('reports that nothing was found', async () => {
    grounded('', {});
    const result = await search('q');
    expect(result.error).toBeUndefined();
    expect(result.llmContent).toBe('No search results or information found for query: "q"');
  });

  it('reports why it failed, and that it was cancelled', async () => {
    host.utility.script = () => new Error('quota');
    expect((await search('q')).error).toEqual({
      type: ToolErrorType.WEB_SEARCH_FAILED,
      message: 'The web search for "q" failed: quota',
    });
    const controller = new AbortController();
    controller.abort();
    expect((await search('q', controller.signal)).llmContent).toBe('The web search was cancelled.');
  });

  it('refuses a blank query', () => {
    expect(() => tool.build({ query: ' ' })).toThrow("The 'query' parameter cannot be empty.");
    expect(() => tool.build({} as { query: string })).toThrow("required property 'query'");
  });
});

describe('both web tools', () => {
  const tools = () => [new WebFetchTool(host, makeBus()), tool];

  it('take little room in a request', () => {
    for (const direct of [false, true]) {
      host.direct = direct;
      expect(JSON.stringify(tools().map((item) => item.getSchema())).length).toBeLessThan(1_300);
    }
  });

  it.each([
    [ApprovalMode.DEFAULT, PolicyDecision.ASK_USER],
    [ApprovalMode.AUTO_EDIT, PolicyDecision.ALLOW],
    [ApprovalMode.YOLO, PolicyDecision.ALLOW],
    [ApprovalMode.PLAN, PolicyDecision.ASK_USER],
  ])('are judged in the mode %s: pages %s, searches run', async (approvalMode, decision) => {
    const kindOf = (name: string) => tools().find((item) => item.name === name)?.kind;
    const policy = new PolicyEngine({
      environment: processEnvironment(),
      approvalMode,
      interactive: true,
      kindOf,
    });
    const args = { prompt: 'https://a.example', query: 'q' };
    const judge = async (name: string) => (await policy.check({ name, args })).decision;
    expect(await judge('web_fetch')).toBe(decision);
    expect(await judge('google_web_search')).toBe(PolicyDecision.ALLOW);
    expect(await judge('web_search')).toBe(PolicyDecision.ALLOW);
  });
});

describe('with a model of another provider', () => {
  let server: PageServer;
  beforeEach(async () => {
    server = await PageServer.start();
    host.model = 'ollama/llama';
  });
  afterEach(() => server.close());
  const answers = (body: unknown, status = 200) => {
    server.page(
      '/search',
      typeof body === 'string' ? body : JSON.stringify(body),
      'application/json',
      status,
    );
    host.service = { endpoint: server.url('/search?format=json') };
  };

  it('is offered only with a search service', async () => {
    expect(canSearchWeb('gemini-3-pro', host)).toBe(true);
    expect(canSearchWeb('vertex/gemini-3-pro', host)).toBe(true);
    expect(canSearchWeb('offline', host)).toBe(false);
    expect(canSearchWeb('ollama/llama', host)).toBe(false);
    const result = await search('q');
    expect(result.error?.message).toContain('tools.webSearch.endpoint');
    answers({ results: [] });
    expect(canSearchWeb('ollama/llama', host)).toBe(true);
  });

  it('asks a service of the SearXNG kind', async () => {
    answers({
      results: [
        { title: 'One', url: 'https://one.example', content: 'First\n thing' },
        { url: 'javascript:x' },
        null,
      ],
    });
    const result = await search('a & b');
    expect(result.llmContent).toBe(
      `Web search results for "a & b":\n\n${wrapped('One\nFirst thing [1]\n\nSources:\n[1] One (https://one.example)')}`,
    );
    expect(server.asked).toEqual(['/search?format=json&q=a+%26+b']);
    expect(server.lastRequest?.headers['user-agent']).toContain('GeminiCLI/');
    expect(host.utility.requests).toEqual([]);
  });

  it('asks a service of the Brave kind, with a key and a placeholder', async () => {
    vi.stubEnv('MY_SEARCH_KEY', 'k-123');
    answers({
      web: {
        results: [{ title: '<strong>Two</strong>', url: 'https://two.example', description: 'x <b>y</b>' }],
      },
    });
    host.service = { endpoint: server.url('/search?words={query}'), apiKeyEnv: 'MY_SEARCH_KEY' };
    const result = await search('a b/c');
    expect(result.llmContent).toContain('Two\nx y [1]');
    expect(server.asked).toEqual(['/search?words=a%20b%2Fc']);
    expect(server.lastRequest?.headers.authorization).toBe('Bearer k-123');
  });

  it('shows ten results of limited length', async () => {
    const results = Array.from({ length: 50 }, (_, index) => ({
      title: `t${index}`,
      url: `https://${index}.example`,
      content: 'x'.repeat(10_000),
    }));
    answers({ results });
    const text = String((await search('q')).llmContent);
    expect(text).toContain('[10] t9');
    expect(text).not.toContain('t10');
    expect(text.length).toBeLessThan(12_000);
  });

  it('reports that nothing was found', async () => {
    answers({ results: [] });
    expect((await search('q')).llmContent).toBe('No search results or information found for query: "q"');
  });

  it.each([
    ['<html>', 200, 'did not answer with JSON'],
    ['{}', 200, 'without a list of results'],
    ['null', 200, 'without a list of results'],
    ['{}', 403, 'HTTP 403'],
    ['{}', 302, 'HTTP 302'],
  ])('says what is wrong with the answer %s (%d)', async (body, status, expected) => {
    answers(body, status);
    expect((await search('q')).error?.message).toContain(expected);
  });

  it('reports wrong settings, and sends no key over plain http to another machine', async () => {
    const failure = async (endpoint: string, apiKeyEnv?: string) => {
      host.service = { endpoint, apiKeyEnv };
      return (await search('q')).error?.message;
    };
    expect(await failure('search.example')).toContain('tools.webSearch.endpoint is no http(s) URL');
    expect(await failure('file:///etc/passwd')).toContain('no http(s) URL');
    vi.stubEnv('NO_SUCH_KEY', '');
    expect(await failure(server.url('/search'), 'NO_SUCH_KEY')).toContain('set NO_SUCH_KEY');
    vi.stubEnv('MY_SEARCH_KEY', 'k-123');
    expect(await failure('http://search.example/', 'MY_SEARCH_KEY')).toContain('plain http');
    expect(server.asked).toEqual([]);
  });
});
