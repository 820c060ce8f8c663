import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../protocol/messages.js';
import { ContextManager } from './context-manager.js';
import type { ContextManagerOptions } from './context-service.js';
import {
  call,
  chatter,
  context,
  input,
  managerOptions,
  prompt,
  result,
  ScriptedUtility,
  said,
  snapshot,
  words,
} from './manager.test-helper.js';
import { TokenEstimator } from './size/token-estimate.js';

let temp: ReturnType<typeof tempDir>;
beforeEach(() => {
  temp = tempDir();
});
afterEach(() => temp.cleanup());

function make(
  overrides: Partial<ContextManagerOptions> = {},
  answers: (string | Error)[] = [snapshot('goal')],
) {
  const utility = new ScriptedUtility(answers);
  const manager = new ContextManager(managerOptions(utility, join(temp.path, 'out'), overrides));
  return { manager, utility };
}

describe('prepare', () => {
  it('returns the same array when nothing has to be done', async () => {
    const { manager, utility } = make({ contextWindow: () => 1_000_000 });
    const history = [context, ...chatter(10)];
    expect(await manager.prepare(input(history))).toEqual({ history, events: [] });
    expect((await manager.prepare(input(history))).history).toBe(history);
    expect(utility.requests).toEqual([]);
  });

  it('estimates only new messages', async () => {
    const { manager } = make({ contextWindow: () => 100_000_000 });
    let reads = 0;
    const watched = Array.from({ length: 10_000 }, (_, index): Message => {
      const parts = [{ text: `message ${index}` }];
      return {
        role: index % 2 ? 'model' : 'user',
        origin: index % 2 ? 'model' : 'prompt',
        get parts() {
          reads++;
          return parts;
        },
      };
    });
    await manager.prepare(input(watched));
    const before = reads;
    watched.push(said('one more'));
    await manager.prepare(input(watched));
    expect(reads).toBe(before);
  });

  it('compresses when the server counted half the window', async () => {
    const { manager } = make();
    const message = prompt('next');
    const history = [context, ...chatter(4)];
    await manager.prepare(input(history, { message }));
    manager.learn(4_000);
    expect((await manager.prepare(input(history, { message }))).events).toEqual([]);
    manager.learn(6_000);
    history.push(message);
    const { history: next, events } = await manager.prepare(input(history));
    expect(events).toEqual([
      { type: 'chat_compressed', status: 'COMPRESSED', originalTokens: 6_000, newTokens: expect.any(Number) },
    ]);
    expect(next[1]?.origin).toBe('summary');
    expect((await manager.prepare(input(next))).events).toEqual([]);
  });

  it('compresses a resumed conversation by its estimated size', async () => {
    const { events } = await make().manager.prepare(input([context, ...chatter(20)]));
    expect(events).toMatchObject([{ status: 'COMPRESSED' }]);
  });

  it('warns when a summary fails, continues at full length, and does not retry at every turn', async () => {
    const { manager, utility } = make({}, [new Error('quota used up')]);
    const history = [context, ...chatter(15)];
    const failed = await manager.prepare(input(history));
    expect(failed.history).toBe(history);
    expect(failed.events).toEqual([
      {
        type: 'warning',
        message: expect.stringContaining('quota used up'),
        code: 'compression_failed',
        reason: 'quota used up',
      },
    ]);
    await manager.prepare(input(history));
    expect(utility.requests).toHaveLength(1);
    await manager.prepare(input([...history, ...chatter(2)]));
    expect(utility.requests).toHaveLength(2);
  });

  it('does not summarise at every turn a history that stays above the threshold', async () => {
    const { manager, utility } = make();
    let history: readonly Message[] = [context, ...chatter(2), prompt(words(8_000)), said('read')];
    for (let turn = 0; turn < 5; turn++) {
      const message = prompt(`short ${turn}`);
      history = (await manager.prepare(input(history, { message }))).history;
      history = [...history, message, said('yes')];
    }
    expect(utility.requests.length).toBeLessThanOrEqual(4);
  });

  it('learns the right size from a request that was shortened after the server refused it', async () => {
    const estimator = new TokenEstimator();
    const { manager, utility } = make({ estimator, contextWindow: () => 1_000_000 });
    const message = prompt('next');
    const history = [context, ...chatter(8)];
    await manager.prepare(input(history, { message }));
    const { newTokens } = await manager.compress({ ...input([...history, message]), trigger: 'auto' });
    manager.learn(newTokens);
    expect(estimator.correction).toBeCloseTo(1, 2);
    expect(JSON.stringify(utility.requests[0]?.messages)).toContain('left out for lack of room');
  });

  it('only truncates after a summary that was too long, until the user asks for one', async () => {
    const { manager, utility } = make({ contextWindow: () => 30_000 }, [snapshot(words(90_000))]);
    const history = [context, ...chatter(45)];
    expect((await manager.prepare(input(history))).events).toMatchObject([
      { status: 'COMPRESSION_FAILED_INFLATED_TOKEN_COUNT' },
    ]);
    const asked = utility.requests.length;
    const long = Array.from({ length: 3 }, (_, index) => [
      call(`${index}`),
      result(`${index}`, 'line\n'.repeat(40_000)),
    ]).flat();
    const later = await manager.prepare(input([...history, ...long], { message: prompt('x') }));
    expect(later.events).toMatchObject([{ status: 'CONTENT_TRUNCATED' }]);
    expect(utility.requests).toHaveLength(asked);
    utility.answers = [snapshot('short')];
    const { signal, model, promptId, overheadTokens } = input([]);
    const forced = await manager.compress({
      history: later.history,
      signal,
      model,
      promptId,
      overheadTokens,
    });
    expect(forced.status).toBe('COMPRESSED');
  });

  it('masks old outputs and reports it', async () => {
    const reports: unknown[] = [];
    const { manager } = make({ contextWindow: () => 1_000_000, onMasked: (report) => reports.push(report) });
    const steps = Array.from({ length: 12 }, (_, index) => [
      call(`${index}`),
      result(`${index}`, 'some words here\n'.repeat(2_500)),
    ]).flat();
    const { history, events } = await manager.prepare(input([context, prompt('q'), ...steps]));
    expect(events).toEqual([]);
    expect(reports).toMatchObject([{ maskedCount: expect.any(Number) }]);
    expect(readdirSync(join(temp.path, 'out')).length).toBeGreaterThan(3);
    expect((await manager.prepare(input(history))).history).toBe(history);
  });

  it('refuses a message that does not fit, with its size and the remaining room', async () => {
    const { manager } = make();
    const { overflow } = await manager.prepare(input([context], { message: prompt(words(12_000)) }));
    expect(overflow?.estimatedRequestTokenCount).toBeGreaterThan(10_000);
    expect(overflow?.remainingTokenCount).toBeLessThan(9_900);
    expect(overflow?.remainingTokenCount).toBeGreaterThan(9_000);
  });

  it('makes room first when a large message would not fit', async () => {
    const { manager } = make({ settings: { compressionThreshold: 0.9, masking: masking() } });
    const prepared = await manager.prepare(
      input([context, ...chatter(10)], { message: prompt(words(7_000)) }),
    );
    expect(prepared.events).toMatchObject([{ status: 'COMPRESSED' }]);
    expect(prepared.overflow).toBeUndefined();
  });

  it('asks the server about media only near a limit, and uses the estimate if that fails', async () => {
    const asked: number[] = [];
    const countTokens = async (messages: readonly Message[]) => asked.push(messages.length) * 100;
    const picture: Message = {
      role: 'user',
      origin: 'prompt',
      parts: [{ inlineData: { mimeType: 'application/pdf', data: 'AA' } }],
    };
    const { manager } = make({ countTokens });
    expect((await manager.prepare(input([context], { message: picture }))).overflow).toBeUndefined();
    expect(asked).toEqual([1]);
    await make({ countTokens, contextWindow: () => 1_000_000 }).manager.prepare(
      input([context], { message: picture }),
    );
    expect(asked).toEqual([1]);
    const broken = make({ countTokens: () => Promise.reject(new Error('offline')) }).manager;
    expect((await broken.prepare(input([context], { message: picture }))).overflow).toBeDefined();
  });

  it('throws when cancelled during a summary', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(make().manager.prepare(input([context, ...chatter(20)], { signal }))).rejects.toThrow(
      'stop',
    );
  });

  it('calls beforeCompress once per real compression', async () => {
    const triggers: string[] = [];
    const { manager } = make({ beforeCompress: async (trigger) => void triggers.push(trigger) });
    await manager.prepare(input([context, prompt('q'), said('a')]));
    expect(triggers).toEqual([]);
    await manager.prepare(input([context, ...chatter(20)]));
    expect(triggers).toEqual(['auto']);
  });
});

describe('after a compression', () => {
  async function compressed() {
    const made = make();
    const before = [context, ...chatter(20)];
    const { history } = await made.manager.prepare(input(before));
    return { ...made, before, after: history };
  }

  it('uncompress restores the full history and what followed', async () => {
    const { manager, before, after } = await compressed();
    const since = [prompt('new'), said('answer')];
    const full = manager.uncompress([...after, ...since]);
    expect(full).toEqual([...before, ...since]);
    expect(manager.uncompress(full ?? [])).toBeUndefined();
  });

  it('uncompress undoes one compression after the other', async () => {
    const { manager, before, after } = await compressed();
    const grown = [...after, ...chatter(20)];
    const { history: twice } = await manager.prepare(input(grown));
    expect(manager.uncompress(twice)).toEqual(grown);
    expect(manager.uncompress(grown)).toEqual([...before, ...grown.slice(after.length)]);
  });

  it('uncompress follows a conversation that was rewound', async () => {
    const { manager, before, after } = await compressed();
    expect(manager.uncompress(after.slice(0, -2))).toEqual(before.slice(0, -2));
  });

  it('uncompress restores all summarised turns even if everything after them was rewound', async () => {
    const { manager, before, after } = await compressed();
    const summary = after.findLastIndex(({ origin }) => origin === 'summary');
    const kept = after.filter((message) => before.includes(message) && message !== context);
    expect(manager.uncompress(after.slice(0, summary))).toEqual(before.slice(0, -kept.length));
  });

  it('uncompress returns undefined for another conversation', async () => {
    const { manager } = await compressed();
    expect(manager.uncompress([context, prompt('other')])).toBeUndefined();
  });

  it('prepare does not compress again at once after uncompress', async () => {
    const { manager, after } = await compressed();
    const full = (manager.uncompress(after) ?? []).slice(0, 22);
    const { events, history } = await manager.prepare(input(full));
    expect(events).toEqual([]);
    expect(history).toBe(full);
  });

  it('recall finds every summarised turn by its id or the beginning of it', async () => {
    const { manager, before } = await compressed();
    const turns = manager.listTurns();
    expect(manager.hasArchive()).toBe(true);
    expect(turns[0]).toMatchObject({
      role: 'user',
      origin: 'prompt',
      preview: expect.stringContaining('Question 0'),
    });
    for (const [index, { id }] of turns.entries()) expect(manager.recall(id)).toEqual(before[index + 1]);
    expect(manager.recall(turns[0]?.id.slice(0, 15) ?? '')).toEqual(before[1]);
    expect(manager.recall(turns[0]?.id.slice(5, 15) ?? '')).toEqual(before[1]);
    for (const wrong of ['', 'turn_', 'turn_zz', 'nonsense']) expect(manager.recall(wrong)).toBeUndefined();
  });

  it('recall finds turns of a resumed session by the same ids', async () => {
    const { manager, before } = await compressed();
    const resumed = make().manager;
    resumed.archiveHistory(structuredClone(before));
    for (const { id } of manager.listTurns()) expect(resumed.recall(id)).toEqual(manager.recall(id));
  });

  it('hasArchive is false for a new manager', () => {
    expect(make().manager.hasArchive()).toBe(false);
    expect(make().manager.listTurns()).toEqual([]);
  });
});

describe('/compress', () => {
  it('says so when there is nothing to compress', async () => {
    const { signal, model, promptId, overheadTokens } = input([]);
    const { status, events, history } = await make().manager.compress({
      history: [context],
      signal,
      model,
      promptId,
      overheadTokens,
    });
    expect(status).toBe('NOOP');
    expect(events).toMatchObject([{ type: 'chat_compressed', status: 'NOOP' }]);
    expect(history).toEqual([context]);
  });
});

function masking() {
  return { protectionThresholdTokens: 50_000, minPrunableThresholdTokens: 30_000, protectLatestTurn: true };
}
