/** Seed 002's example of ACP mode: the server on stdio, and a client in the same process. */
import { PassThrough } from 'node:stream';
import { text } from '@gemini-cli/test-utils/rig';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sdkRig } from './sdk-rig.js';

describe('seed 002, ACP mode', () => {
  it('serves stdio, and a client in the process with raw messages', async () => {
    const { model, folder } = await sdkRig();
    model.replies([text('Hello from the agent.')]);
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const replaced = [
      vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as unknown as typeof process.stdin),
      vi.spyOn(process, 'stdout', 'get').mockReturnValue(stdout as unknown as typeof process.stdout),
    ];
    const { client, received, started } = await import('./seed-002/acp.js');
    for (const one of replaced) one.mockRestore();
    onTestFinished(() => client.close());

    await vi.waitFor(
      () => expect(received).toMatchObject([{ id: 1, result: { protocolVersion: 1 } }]),
      10_000,
    );
    const { sessionId } = await client.request<{ sessionId: string }>('session/new', {
      cwd: folder,
      mcpServers: [],
    });
    await client.send({
      id: 2,
      method: 'session/prompt',
      params: { sessionId, prompt: [{ type: 'text', text: 'hello' }] },
    });
    await vi.waitFor(
      () => expect(received.at(-1)).toMatchObject({ id: 2, result: { stopReason: 'end_turn' } }),
      10_000,
    );
    expect(JSON.stringify(received)).toContain('Hello from the agent.');

    stdin.end(
      `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params: { protocolVersion: 1 } })}\n`,
    );
    await started;
    expect(JSON.parse(String(stdout.read()))).toMatchObject({ id: 7, result: { protocolVersion: 1 } });
  });
});
