/** Content from the user, an editor or a hook that replaces the model's: a new call, decided again. */
import { afterEach, describe, expect, it } from 'vitest';
import { PolicyDecision, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import { ApprovalRig, type ApprovalRigOptions, change, yes } from './approvals.test-helper.js';

const { ALLOW, ASK_USER, DENY } = PolicyDecision;
const rigs: ApprovalRig[] = [];
afterEach(() => {
  for (const rig of rigs.splice(0)) rig.directory.cleanup();
});

/** Rules: `forbidden` content is denied, `fine` is allowed, all else is asked about. */
function rigWith(options: ApprovalRigOptions = {}) {
  const checked: unknown[] = [];
  const rig = new ApprovalRig({
    check: async ({ args }) => {
      const { content } = args;
      checked.push(content);
      return { decision: content === 'forbidden' ? DENY : content === 'fine' ? ALLOW : ASK_USER };
    },
    ...options,
  });
  rigs.push(rig);
  const write = async (content: string) =>
    (await rig.run([['write_file', { file_path: 'a.txt', content }]]))[0];
  return { rig, checked, write };
}

const yesWith = (newContent: string) => ({
  confirmed: true,
  outcome: ToolConfirmationOutcome.ProceedOnce,
  payload: { newContent },
});
const edited = (newContent: string) => ({ ...change, payload: { newContent } });

describe('policy', () => {
  it('is asked once for a call that only the user decides', async () => {
    const { rig, checked, write } = rigWith();
    rig.reply(yes);
    expect((await write('x'))?.status).toBe('success');
    expect(checked).toEqual(['x']);
  });

  it('is asked again about content that comes with the approval, and can deny it', async () => {
    const { rig, checked, write } = rigWith();
    rig.reply(yesWith('forbidden'));
    expect((await write('x'))?.response.error?.type).toBe('policy_violation');
    expect([checked, rig.read('a.txt')]).toEqual([['x', 'forbidden'], undefined]);
  });

  it('does not ask the user twice about content that came with the approval', async () => {
    const { rig, checked, write } = rigWith();
    rig.reply(yesWith('y'));
    expect((await write('x'))?.status).toBe('success');
    expect([checked, rig.asked.length, rig.read('a.txt')]).toEqual([['x', 'y'], 1, 'y']);
  });

  it('is asked again about content from the editor, which is shown even where a rule allows it', async () => {
    const approvals = { offersEditor: () => true };
    const denied = rigWith({ approvals });
    denied.rig.reply(edited('forbidden'), yes);
    expect((await denied.write('x'))?.response.error?.type).toBe('policy_violation');
    expect([denied.checked, denied.rig.read('a.txt')]).toEqual([['x', 'forbidden'], undefined]);
    const allowed = rigWith({ approvals });
    allowed.rig.reply(edited('fine'), yes);
    expect((await allowed.write('x'))?.decision).toBe('modify');
    expect([allowed.rig.asked.length, allowed.rig.read('a.txt')]).toEqual([2, 'fine']);
  });

  it("comes after the hook, which also sees the user's changes", async () => {
    const seen: unknown[] = [];
    const { rig, checked, write } = rigWith({
      hooks: { beforeTool: async ({ call }) => void seen.push(call.args['content']) },
    });
    rig.reply(yesWith('y'));
    await write('x');
    expect([seen, checked]).toEqual([
      ['x', 'y'],
      ['x', 'y'],
    ]);
  });

  it("is asked about a hook's change of the user’s content, which the user then sees", async () => {
    const { rig, checked, write } = rigWith({
      hooks: {
        beforeTool: async ({ call }) =>
          call.args['content'] === 'y' ? { args: { content: 'z' } } : undefined,
      },
    });
    rig.reply(yesWith('y'), yes);
    await write('x');
    expect([checked, rig.asked.length, rig.read('a.txt')]).toEqual([['x', 'z'], 2, 'z']);
    expect(rig.diff(1)).toContain('+z');
  });
});
