import { describe, expect, it } from 'vitest';
import { PolicyDecision } from '../../protocol/confirmation.js';
import type { CompletedToolCall } from '../../protocol/tool-calls.js';
import { rigWith, writeCall } from './approvals.test-helper.js';
import type { CallJournal } from './call-journal.js';

const allow = async () => ({ decision: PolicyDecision.ALLOW });

function journalOf(lines: string[], ended?: CompletedToolCall): CallJournal {
  return {
    recall: ({ callId }) => (callId === ended?.request.callId ? ended : undefined),
    around: async ({ callId }, run) => {
      lines.push(`begin ${callId}`);
      const call = await run();
      lines.push(`end ${callId} ${call?.status}`);
    },
  };
}

describe('the journal of the calls of a request', () => {
  it('is told before a call runs and after it has ended', async () => {
    const lines: string[] = [];
    const { recall, around } = journalOf(lines);
    const rig = rigWith({
      check: allow,
      journal: {
        recall,
        around: (request, run) => {
          lines.push(`before: ${rig.read('a.txt')}`);
          return around(request, run);
        },
      },
    });
    await rig.run([writeCall('x')]);
    expect([...lines, rig.read('a.txt')]).toEqual(['before: undefined', 'begin c0', 'end c0 success', 'x']);
  });

  it('gives the end of a call of an earlier process: it does not run and nothing is asked', async () => {
    const first = rigWith({ check: allow });
    const [ended] = await first.run([writeCall('x')]);
    const lines: string[] = [];
    const second = rigWith({ check: allow, journal: journalOf(lines, ended) });
    const [again, next] = await second.run([writeCall('x'), writeCall('y', 'b.txt')]);
    expect([again, next?.status]).toEqual([ended, 'success']);
    expect([second.asked, second.read('a.txt'), second.read('b.txt')]).toEqual([[], undefined, 'y']);
    expect(lines).toEqual(['begin c1', 'end c1 success']);
  });

  it('stops a call whose begin cannot be kept', async () => {
    const rig = rigWith({
      check: allow,
      journal: {
        recall: () => undefined,
        around: () => Promise.reject(new Error('the turn belongs to another process')),
      },
    });
    await expect(rig.run([writeCall('x')])).rejects.toThrow('another process');
    expect(rig.read('a.txt')).toBeUndefined();
  });
});
