import { describe, expect, it } from 'vitest';
import { PolicyDecision } from '../../protocol/confirmation.js';
import type { CompletedToolCall } from '../../protocol/tool-calls.js';
import { type ApprovalRig, rigWith, writeCall } from './approvals.test-helper.js';
import type { CallJournal } from './call-journal.js';

const allow = async () => ({ decision: PolicyDecision.ALLOW });

/** Entries as another process would find them: text. */
function journalOf(lines: string[], find: (callId: string) => CompletedToolCall | 'begun' | undefined) {
  const journal: CallJournal = {
    recall: ({ callId }) => find(callId),
    begin: async ({ callId }) => void lines.push(`begin ${callId}`),
    end: async ({ request, status }) => void lines.push(`end ${request.callId} ${status}`),
  };
  return journal;
}

describe('the journal of the calls of a request', () => {
  it('is told before a call runs and after it has ended', async () => {
    const lines: string[] = [];
    let rig: ApprovalRig | undefined;
    const journal = journalOf(lines, () => undefined);
    rig = rigWith({
      check: allow,
      journal: {
        ...journal,
        begin: async (request) => {
          await journal.begin(request);
          lines.push(`before: ${rig?.read('a.txt')}`);
        },
      },
    });
    await rig.run([writeCall('x')]);
    expect(lines).toEqual(['begin c0', 'before: undefined', 'end c0 success']);
  });

  it('gives the end of a call of an earlier process; the call does not run and nothing is asked', async () => {
    const first = rigWith({ check: allow });
    const [ended] = await first.run([writeCall('x')]);
    const lines: string[] = [];
    const second = rigWith({ journal: journalOf(lines, (id) => (id === 'c0' ? ended : undefined)) });
    expect(await second.run([writeCall('x')])).toEqual([ended]);
    expect([second.asked, second.read('a.txt'), lines]).toEqual([[], undefined, []]);
  });

  it('reports a call without a known end as interrupted, and runs the calls behind it', async () => {
    const lines: string[] = [];
    const rig = rigWith({
      check: allow,
      journal: journalOf(lines, (id) => (id === 'c0' ? 'begun' : undefined)),
    });
    const [interrupted, next] = await rig.run([writeCall('x'), writeCall('y', 'b.txt')]);
    expect(interrupted?.response.error).toMatchObject({ type: 'interrupted' });
    expect(interrupted?.response.error?.message).toContain('its outcome is unknown');
    expect([rig.read('a.txt'), rig.read('b.txt'), next?.status]).toEqual([undefined, 'y', 'success']);
    expect(lines).toEqual(['begin c1', 'end c1 success']);
  });

  it('stops a call whose begin cannot be kept', async () => {
    const journal = journalOf([], () => undefined);
    const rig = rigWith({
      check: allow,
      journal: { ...journal, begin: () => Promise.reject(new Error('the turn belongs to another process')) },
    });
    await expect(rig.run([writeCall('x')])).rejects.toThrow('another process');
    expect(rig.read('a.txt')).toBeUndefined();
  });
});
