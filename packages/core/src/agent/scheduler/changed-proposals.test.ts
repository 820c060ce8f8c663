import { makeHost } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import {
  type DiffUpdateResult,
  PolicyDecision,
  ToolConfirmationOutcome,
} from '../../protocol/confirmation.js';
import { WriteFileTool, type WriteFileToolParams } from '../../tools/write-file/write-file.js';
import {
  type ApprovalRig,
  type ApprovalRigOptions,
  change,
  no,
  rigWith,
  writeCall,
  yes,
} from './approvals.test-helper.js';

describe('changing a proposal', () => {
  const approvals = { offersEditor: () => true };
  const changed = (newContent: string) => ({ ...change, payload: { newContent } });

  it('in an editor asks again with the new difference, and runs that', async () => {
    const rig = rigWith({ approvals });
    rig.write('a.txt', 'old');
    rig.reply(changed('mine'), yes);
    const [call] = await rig.run([writeCall('theirs')]);
    expect(rig.diff(0)).toContain('+theirs');
    expect(rig.diff(1)).toContain('+mine');
    expect(rig.asked[0]?.digest).not.toBe(rig.asked[1]?.digest);
    expect([call?.decision, rig.read('a.txt')]).toEqual(['modify', 'mine']);
    expect(call?.request.args).toMatchObject({ modified_by_user: true, ai_proposed_content: 'theirs' });
    expect(JSON.stringify(call?.response.responseParts)).toContain('The user changed the proposed content');
  });

  it('works for an edit of a place, keeps the line ends, and may be refused in the end', async () => {
    const rig = rigWith({ approvals });
    rig.write('a.txt', 'one\r\ntwo\r\nthree\r\n');
    const edit: [string, Record<string, unknown>] = [
      'replace',
      { file_path: 'a.txt', old_string: 'two', new_string: 'TWO', allow_multiple: true },
    ];
    const mine = changed('one\ntwo\nTHREE\n');
    rig.reply(mine, no, mine, yes);
    await rig.run([edit]);
    expect(rig.read('a.txt')).toBe('one\r\ntwo\r\nthree\r\n');
    await rig.run([edit]);
    expect(rig.read('a.txt')).toBe('one\r\ntwo\r\nTHREE\r\n');
  });

  it('shows the change even where a rule lets it pass, and obeys a rule that forbids it', async () => {
    const decisions: Record<string, PolicyDecision> = {
      theirs: PolicyDecision.ASK_USER,
      mine: PolicyDecision.ALLOW,
      bad: PolicyDecision.DENY,
    };
    const check: ApprovalRigOptions['check'] = async ({ args }) => ({
      decision: decisions[String(args['content'])] ?? PolicyDecision.DENY,
    });
    const shown = rigWith({ check, approvals });
    shown.reply(changed('mine'), yes);
    await shown.run([writeCall('theirs')]);
    expect([shown.asked.length, shown.read('a.txt')]).toEqual([2, 'mine']);
    for (const replies of [[changed('bad')], [{ ...yes, payload: { newContent: 'bad' } }]]) {
      const denied = rigWith({ check, approvals });
      denied.reply(...replies);
      const [call] = await denied.run([writeCall('theirs')]);
      expect([call?.response.error?.type, denied.read('a.txt')]).toEqual(['policy_violation', undefined]);
    }
  });

  it('together with the yes runs exactly what the user sent, once', async () => {
    const rig = rigWith();
    rig.reply({
      confirmed: true,
      outcome: ToolConfirmationOutcome.ProceedAlways,
      payload: { newContent: 'mine' },
    });
    const [call] = await rig.run([writeCall('theirs')]);
    expect([call?.decision, rig.read('a.txt'), rig.asked.length]).toEqual(['modify', 'mine', 1]);
    expect(rig.updates).toEqual([]);
  });

  it('in a file that changed meanwhile asks again', async () => {
    const rig = rigWith();
    rig.write('a.txt', 'old');
    rig.reply(() => {
      rig.write('a.txt', 'another process was here');
      return { ...yes, payload: { newContent: 'mine' } };
    }, no);
    await rig.run([writeCall('theirs')]);
    expect(rig.asked[1]?.details?.systemMessage).toContain('changed while you were asked');
    expect(rig.read('a.txt')).toBe('another process was here');
  });

  it('without content asks again and says why, but not for ever', async () => {
    const rig = rigWith({ approvals });
    rig.reply(change, yes);
    await rig.run([writeCall('x')]);
    expect(rig.asked[1]?.details?.systemMessage).toContain('nothing was changed yet');
    expect(rig.read('a.txt')).toBe('x');
    const stubborn = rigWith({ approvals });
    stubborn.reply(...Array.from({ length: 50 }, () => change));
    const [call] = await stubborn.run([writeCall('x')]);
    expect([call?.status, stubborn.asked.length]).toEqual(['error', 3]);
  });

  it('without end is not taken for a yes', async () => {
    const rig = rigWith();
    let count = 0;
    rig.reply(
      ...Array.from({ length: 500 }, () => () => ({
        ...change,
        payload: { newContent: `version ${count++}` },
      })),
    );
    const [call] = await rig.run([writeCall('x')]);
    expect([call?.status, rig.read('a.txt')]).toEqual(['error', undefined]);
  });

  it('to what the tool does not accept asks again with the reason', async () => {
    const rig = rigWith();
    rig.reply({ ...yes, payload: { newContent: '// rest of code ...' } }, no);
    await rig.run([writeCall('x')]);
    expect(rig.asked[1]?.details?.systemMessage).toContain('placeholder');
  });
});

describe('a diff in an editor beside the dialog', () => {
  const withIde = (answer: DiffUpdateResult, acceptsEditorAnswer = () => true) => {
    const rig = rigWith({ approvals: { acceptsEditorAnswer } });
    rig.registry.registerTool(new IdeTool(rig, Promise.resolve(answer)));
    rig.reply(undefined);
    return rig;
  };

  it('cannot say yes for the user where the tool itself brings the answer, but may refuse', async () => {
    const call: [string, Record<string, unknown>] = ['ide_write', { file_path: 'a.txt', content: 'theirs' }];
    const lying = withIde({ status: 'accepted' }, () => false);
    const controller = new AbortController();
    const running = lying.run([call], controller.signal);
    await expect.poll(() => lying.asked.length).toBe(1);
    controller.abort();
    expect([(await running)[0]?.status, lying.read('a.txt')]).toEqual(['cancelled', undefined]);
    const refusing = withIde({ status: 'rejected' }, () => false);
    expect((await refusing.run([call]))[0]?.status).toBe('cancelled');
  });

  it('may answer first, with content of its own', async () => {
    const rig = withIde({ status: 'accepted', content: 'from the IDE' });
    const [call] = await rig.run([['ide_write', { file_path: 'a.txt', content: 'theirs' }]]);
    expect([call?.decision, rig.read('a.txt')]).toEqual(['modify', 'from the IDE']);
  });

  it('may accept as it is, or refuse', async () => {
    const accepted = withIde({ status: 'accepted', content: 'theirs' });
    await accepted.run([['ide_write', { file_path: 'a.txt', content: 'theirs' }]]);
    expect(accepted.read('a.txt')).toBe('theirs');
    const rejected = withIde({ status: 'rejected' });
    const [call] = await rejected.run([['ide_write', { file_path: 'a.txt', content: 'theirs' }]]);
    expect([call?.status, rejected.read('a.txt')]).toEqual(['cancelled', undefined]);
  });
});

/** `write_file` whose question is also open in an editor. */
class IdeTool extends WriteFileTool {
  override readonly name = 'ide_write';

  constructor(
    rig: ApprovalRig,
    private readonly answer: Promise<DiffUpdateResult>,
  ) {
    super(makeHost(rig.directory.path), rig.bus);
  }

  override build(params: WriteFileToolParams) {
    const invocation = super.build(params);
    const ask = invocation.shouldConfirmExecute.bind(invocation);
    invocation.shouldConfirmExecute = async (...args) => {
      const details = await ask(...args);
      return details && details.type === 'edit' ? { ...details, ideConfirmation: this.answer } : details;
    };
    return invocation;
  }
}
