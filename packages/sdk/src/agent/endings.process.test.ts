import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hook, subagent, tool, z } from '../index.js';
import { call, eventsOf, lab } from '../testing/agent-lab.test-helper.js';

describe('the end of an agent in the middle of its work', () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  beforeEach(() => {
    process.on('unhandledRejection', note);
  });
  afterEach(() => {
    process.off('unhandledRejection', note);
    expect(rejections).toEqual([]);
  });

  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  const pidIn = async (folder: string) => {
    const file = join(folder, 'pid');
    await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8').trim() !== '', {
      timeout: 15_000,
    });
    return Number(readFileSync(file, 'utf8'));
  };

  it('ends the command of the model', async () => {
    const { agent, folder } = lab([call('run_shell_command', { command: 'echo $$ > pid; sleep 300' })]);
    const mine = agent({ approvalMode: 'yolo' });
    const events = eventsOf(mine.sendStream('go'));
    const pid = await pidIn(folder);
    await mine.dispose();
    expect((await events).at(-1)).toEqual({ type: 'user_cancelled' });
    await vi.waitUntil(() => !isAlive(pid), 10_000);
  });

  it('ends the command of a tool when its prompt is cancelled', async () => {
    const { agent, folder } = lab([call('wait')]);
    const wait = tool({ name: 'wait', description: 'w', inputSchema: z.object({}) }, async (_params, ctx) => {
      const { exitCode } = await ctx.shell.exec('echo $$ > pid; sleep 300');
      return exitCode;
    });
    const session = agent({ tools: [wait], approvalMode: 'yolo' }).session();
    const sent = session.send('go');
    const pid = await pidIn(folder);
    session.cancel();
    expect((await sent).finishReason).toBe('cancelled');
    await vi.waitUntil(() => !isAlive(pid), 10_000);
  });

  it('ends the engine of a session that cannot start', async () => {
    const { agent } = lab([]);
    const broken = subagent({
      name: 'broken',
      description: 'b',
      instructions: 'x',
      inputSchema: undefined as never,
      outputSchema: 'text' as never,
    });
    const seen: string[] = [];
    const start = hook({ event: 'SessionStart', name: 'start' }, () => void seen.push('start'));
    const end = hook({ event: 'SessionEnd', name: 'end' }, () => void seen.push('end'));
    const sent = agent({ subagents: [broken], hooks: [start, end] }).send('hi');
    await expect(sent).rejects.toThrow('broken');
    expect(seen).toEqual(['start', 'end']);
  });

  it('ends a session that is still starting', async () => {
    const { agent } = lab(['never']);
    const mine = agent();
    const sent = mine.send('go').catch((error: unknown) => error);
    await mine.dispose();
    expect(await sent).toBeTruthy();
    expect(await mine.session().send('again')).toMatchObject({ text: 'never' });
  });

  it('ends a prompt whose events the program reads no further', async () => {
    const wait = tool({ name: 'wait', description: 'w', inputSchema: z.object({}) }, () => never());
    const { agent } = lab([call('wait')]);
    const mine = agent({ tools: [wait] });
    const stream = mine.sendStream('go');
    await stream.next();
    await mine.dispose();
    expect((await eventsOf(stream)).map(({ type }) => type)).toEqual(['user_cancelled']);
  });

  it('ends a prompt from inside the loop over its events', async () => {
    const { agent } = lab(['one', 'two']);
    const mine = agent();
    const seen: string[] = [];
    for await (const { type } of mine.sendStream('go')) {
      seen.push(type);
      if (type === 'model_info') await mine.dispose();
    }
    expect(seen.at(-1)).toBe('user_cancelled');
    const again = mine.session();
    const stream = again.sendStream('go');
    await stream.next();
    again.cancel();
    await vi.waitFor(async () => expect((await again.send('go on')).finishReason).toBe('stop'), 5000);
    const { value } = await readToEnd(stream);
    expect(value).toMatchObject({ finishReason: 'cancelled' });
  });

  it('survives a tool that fails after its prompt was cancelled', async () => {
    const { agent } = lab([call('late'), 'next']);
    let fail: () => void = () => undefined;
    const late = tool({ name: 'late', description: 'l', inputSchema: z.object({}) }, () => {
      return new Promise((_resolve, reject) => {
        fail = () => reject(new Error('too late'));
      });
    });
    const session = agent({ tools: [late] }).session();
    const first = session.send('go');
    await vi.waitUntil(() => session.transcript.length > 1, 10_000);
    session.cancel();
    expect((await first).finishReason).toBe('cancelled');
    fail();
    expect((await session.send('go on')).text).toBe('next');
  });
});

const never = () => new Promise<never>(() => undefined);

async function readToEnd<T, R>(stream: AsyncGenerator<T, R>): Promise<IteratorResult<T, R>> {
  let item = await stream.next();
  while (!item.done) item = await stream.next();
  return item;
}
