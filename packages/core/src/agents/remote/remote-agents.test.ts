import { afterEach, describe, expect, it } from 'vitest';
import { startAgentServer, type TestServer, type TestServerOptions } from './a2a-server.test-helper.js';
import type { Binding, ProtocolVersion } from './card/parse-card.js';
import { type RemoteRig, type RigOptions, remoteAgent, remoteRig } from './remote-agents.test-helper.js';

const never = new AbortController().signal;
let server: TestServer;
let rig: RemoteRig;

afterEach(async () => {
  rig.agents.close();
  await server.close();
});

async function start(options: TestServerOptions, rigOptions?: RigOptions) {
  server = await startAgentServer(options);
  rig = remoteRig(rigOptions);
  const definition = remoteAgent({ agentCardUrl: server.cardUrl });
  return (query: string, signal = never, onUpdate?: (text: string) => void) =>
    rig.agents.invoke(definition, query, { signal, onUpdate });
}

const WAYS: [Binding, ProtocolVersion][] = [
  ['JSONRPC', '1.0'],
  ['JSONRPC', '0.3'],
  ['HTTP+JSON', '1.0'],
  ['HTTP+JSON', '0.3'],
  ['GRPC', '1.0'],
  ['GRPC', '0.3'],
];

describe.each(WAYS)('an agent over %s, protocol %s', (binding, version) => {
  it('answers with a message', async () => {
    const ask = await start({ binding, version });
    expect(await ask('hello there')).toEqual({ text: 'Hello, hello there', isError: false });
  });

  it('streams states and artifacts, which are appended or replaced by their id', async () => {
    const ask = await start({ binding, version });
    const shown: string[] = [];
    const { text, isError } = await ask('stream please', never, (part) => shown.push(part));
    expect(text).toBe(
      'Reading the diff\nDone\n\nArtifact: report.md\nLine one, line two\n\nArtifact: draft.md\nnew',
    );
    expect(isError).toBe(false);
    expect(shown.length).toBeGreaterThan(0);
  });

  it('keeps the context, and the task while it waits for input', async () => {
    const ask = await start({ binding, version });
    const asked = await ask('ask me');
    expect(asked.text).toBe('Which branch?');
    expect(asked.ending).toContain('The remote agent reviewer waits for input.');
    expect(await ask('main')).toEqual({ text: 'You answered: main', isError: false });
    await ask('hello again');

    expect(server.messages.map(({ isContinued }) => isContinued)).toEqual([false, true, false]);
    const [, second, third] = server.messages;
    expect(third?.contextId).toBe(second?.contextId);
  });

  it('is told to cancel the task when the user aborts', async () => {
    const ask = await start({ binding, version });
    const abort = new AbortController();
    const running = ask('wait for me', abort.signal, (text) => {
      if (text.includes('Waiting')) abort.abort(new Error('stopped by the user'));
    });
    await expect(running).rejects.toThrow('stopped by the user');
    expect(server.cancelled).toHaveLength(1);
  });

  it('gets credentials, resolved anew when it refuses them', async () => {
    let valid = 'second';
    server = await startAgentServer({
      binding,
      version,
      needs: { header: 'x-api-key', value: () => valid },
    });
    // gRPC listens on a port of its own, which only a card of the user may name.
    const agentCardJson = await (await fetch(server.cardUrl)).text();
    const env = { KEY: 'first' };
    rig = remoteRig({ env });
    const definition = remoteAgent({ agentCardJson, auth: { type: 'apiKey', key: '$KEY' } });
    const ask = (query: string) => rig.agents.invoke(definition, query, { signal: never });

    const refused = await ask('hello');
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toContain('refused the request');
    valid = 'first';
    expect(await ask('hello')).toEqual({ text: 'Hello, hello', isError: false });
    expect(rig.secrets).toContain('first');
  });

  it('says what failed after what arrived before', async () => {
    const ask = await start({ binding, version });
    const failed = await ask('fail now');
    expect(failed).toEqual({
      text: 'It broke',
      ending: 'The task of the remote agent reviewer failed.',
      isError: true,
    });
    await server.close();
    const gone = await ask('hello');
    expect(gone.isError).toBe(true);
    expect(gone.text).toMatch(/ECONNREFUSED|gRPC error/);
  });
});

describe('an agent that does not stream', () => {
  it('is asked for its task until it is done', async () => {
    const ask = await start({ streaming: false });
    expect((await ask('stream please')).text).toContain('line two');
  });
});

describe('what an agent sends', () => {
  it('becomes text: data as JSON, files by name, an authorization as a task for the user', async () => {
    const ask = await start({});
    const { text } = await ask('files please');
    expect(text).toContain('"lines": 3');
    expect(text).toContain('[file a.pdf (application/pdf): https://files.example/a.pdf]');
    expect(text).toContain('[file b.bin (application/octet-stream), 5 bytes, not shown]');
    const authorize = await ask('authorize me');
    expect(authorize.text).toContain('Open https://sign.example/in');
    expect(authorize.ending).toContain('Tell the user');
  });
});

describe('two requests to one agent at once', () => {
  it('are two tasks, and only one of them continues a task that waits', async () => {
    const ask = await start({});
    await ask('ask me');
    await Promise.all([ask('main'), ask('other')]);
    const continued = server.messages.slice(1).map(({ isContinued }) => isContinued);
    expect(continued.sort()).toEqual([false, true]);
  });
});
