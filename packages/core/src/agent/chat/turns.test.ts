/** How many turns a prompt takes: as many as it needs; only limits, loops and repeats without a call end it. */
import { describe, expect, it } from 'vitest';
import type { FakeAnswer } from '../../model/wrappers/fake.js';
import { callOf, only, result, SessionRig } from '../session-rig.test-helper.js';
import type { FinalAnswerCheck } from './final-answer-check.js';

const tools = { work: () => result('ok') };
/** All different, so that no loop check finds them. */
const work = (count: number): FakeAnswer[] =>
  Array.from({ length: count }, (_, index) => callOf('work', { n: index }));

describe('a prompt', () => {
  it('takes a thousand turns with tools', { timeout: 30_000 }, async () => {
    const rig = new SessionRig({ answers: [...work(1000), 'done'], tools });
    const events = await rig.send();
    expect(events.at(-1)).toMatchObject({ type: 'turn_finished', reason: 'completed' });
    expect(only(events, 'model_turn_started').at(-1)?.turn).toBe(1001);
    expect(only(events, 'tool_finished')).toHaveLength(1000);
    expect(rig.history()).toHaveLength(2003);
  });

  it('ends at model.maxSessionTurns, counted over all prompts, with its work in the history', async () => {
    const rig = new SessionRig({ answers: ['one', ...work(5)], tools, maxSessionTurns: 3 });
    await rig.send();
    const events = await rig.send();
    expect(events.at(-1)).toMatchObject({
      reason: 'max_turns',
      error: { type: 'FatalTurnLimitedError', code: 53 },
    });
    expect([rig.model.requests.length, rig.history().at(-1)]).toEqual([3, 'user: result work']);
  });

  it('ends after the model was asked 100 times to continue', async () => {
    const finalAnswerCheck: FinalAnswerCheck = {
      holdsBack: false,
      opening: (parts) => parts,
      after: async () => ({
        message: { role: 'user', origin: 'correction', parts: [{ text: 'Please continue.' }] },
      }),
    };
    const rig = new SessionRig({
      answers: Array.from({ length: 200 }, (_, index) => `thought number ${index}`),
      client: { finalAnswerCheck },
    });
    expect((await rig.send()).at(-1)).toMatchObject({ reason: 'completed' });
    expect(rig.model.requests).toHaveLength(101);
  });

  it('is checked for loops, however long it is', async () => {
    const same = Array.from({ length: 50 }, () => callOf('work', { n: 1 }));
    const rig = new SessionRig({ answers: [...work(300), ...same], tools });
    const events = await rig.send();
    expect(only(events, 'warning').map(({ code }) => code)).toEqual(['loop_detected']);
    expect(rig.model.requests.length).toBeLessThan(320);
    expect(rig.model.requests.length).toBeGreaterThan(300);
  });
});
