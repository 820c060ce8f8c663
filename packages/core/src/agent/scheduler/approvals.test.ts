import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PolicyDecision, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  Kind,
  type ToolInvocation,
  type ToolResult,
} from '../../tools/tools.js';
import {
  type ApprovalRig,
  type ApprovalRigOptions,
  no,
  type Reply,
  rigWith,
  writeCall,
  yes,
} from './approvals.test-helper.js';
import type { ApprovalPorts } from './approve.js';

const { ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, ModifyWithEditor, Cancel } =
  ToolConfirmationOutcome;

describe('an approval', () => {
  it('holds for a digest of the tool and its arguments', async () => {
    const rig = rigWith();
    rig.reply((request) => ({ ...yes, digest: request.digest }));
    await rig.run([writeCall('x')]);
    const text = '"write_file" {\0"content":"x"\0,\0"file_path":"a.txt"\0}';
    expect(rig.asked[0]?.digest).toBe(createHash('sha256').update(text).digest('hex'));
    expect(rig.read('a.txt')).toBe('x');
  });

  it('is requested for the arguments that a hook changed, and the user sees those', async () => {
    const rig = rigWith({ hooks: { beforeTool: async () => ({ args: { content: 'planted' } }) } });
    rig.reply(no);
    const [call] = await rig.run([writeCall('harmless')]);
    expect(rig.asked).toHaveLength(1);
    expect(rig.diff(0)).toContain('+planted');
    expect([call?.status, rig.read('a.txt')]).toEqual(['cancelled', undefined]);
  });

  it('needs the verdict of policy on the arguments that a hook changed', async () => {
    const seen: unknown[] = [];
    const rig = rigWith({
      hooks: { beforeTool: async () => ({ args: { content: 'forbidden' } }) },
      check: async ({ args }) => {
        seen.push(args['content']);
        const decision = args['content'] === 'forbidden' ? PolicyDecision.DENY : PolicyDecision.ALLOW;
        return { decision, reason: 'no.' };
      },
    });
    const [call] = await rig.run([writeCall('fine')]);
    expect([call?.response.error?.type, rig.read('a.txt')]).toEqual(['policy_violation', undefined]);
    expect(seen).toEqual(['forbidden']);
  });

  it('reports to the model which arguments a hook changed, and which are invalid', async () => {
    const rig = rigWith({ hooks: { beforeTool: async () => ({ args: { content: 'planted' } }) } });
    rig.reply(yes);
    const [call] = await rig.run([writeCall('harmless')]);
    expect(JSON.stringify(call?.response.responseParts)).toContain('A hook changed arguments of this call');
    expect(JSON.stringify(call?.response.responseParts)).toContain('ran: content.');
    expect([call?.request.args['content'], rig.read('a.txt')]).toEqual(['planted', 'planted']);
    const broken = rigWith({ hooks: { beforeTool: async () => ({ args: { content: 1 } }) } });
    broken.reply(yes);
    const [failed] = await broken.run([writeCall('harmless')]);
    expect(failed?.response.error?.type).toBe('invalid_tool_params');
  });

  it('needs no second question when a hook changes nothing', async () => {
    const rig = rigWith({ hooks: { beforeTool: async ({ call: { args } }) => ({ args }) } });
    rig.reply(yes);
    await rig.run([writeCall('x')]);
    expect([rig.asked.length, rig.read('a.txt')]).toEqual([1, 'x']);
  });

  it('does not hold for a call that changes while the user decides', async () => {
    const rig = rigWith();
    const tool = rig.registry.getTool('write_file');
    const build = tool?.build.bind(tool);
    let built: { params: { content?: string } } | undefined;
    if (tool && build) tool.build = (params) => (built = build(params));
    rig.reply(() => {
      // The invocation's own parameters, as a careless or hostile part of the program would change them.
      if (built) built.params.content = 'other';
      return yes;
    }, no);
    await rig.run([writeCall('shown')]);
    expect(rig.asked).toHaveLength(2);
    expect(rig.diff(1)).toContain('+other');
    expect(rig.asked[1]?.details?.systemMessage).toContain('changed while you were asked');
    expect(rig.read('a.txt')).toBeUndefined();
  });

  it('does not hold for a tail call', async () => {
    const rig = rigWith();
    rig.registry.registerTool(new ForwardingTool(rig));
    rig.reply(yes, no);
    const done = await rig.run([['forward', {}], writeCall('next', 'b.txt')]);
    expect(rig.asked.map(({ toolCall }) => toolCall.name)).toEqual(['forward', 'write_file']);
    expect(done.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect([rig.read('tail.txt'), rig.read('b.txt')]).toEqual([undefined, undefined]);
  });

  it('is requested for the tail call, which then replaces the call', async () => {
    const rig = rigWith();
    rig.registry.registerTool(new ForwardingTool(rig));
    rig.reply(yes, yes);
    const [call] = await rig.run([['forward', {}]]);
    expect(call?.executed?.name).toBe('write_file');
    expect(rig.read('tail.txt')).toBe('from the tail');
  });

  it('runs nothing when it comes after an abort', async () => {
    const rig = rigWith();
    const controller = new AbortController();
    rig.reply(() => {
      controller.abort();
      return yes;
    });
    const done = await rig.run([writeCall('x'), writeCall('y', 'b.txt')], controller.signal);
    expect(done.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(rig.asked).toHaveLength(1);
    expect(rig.read('a.txt')).toBeUndefined();
  });

  it('is not awaited any more when the request is aborted', async () => {
    const rig = rigWith();
    const controller = new AbortController();
    rig.reply(() => {
      queueMicrotask(() => controller.abort());
      return undefined;
    });
    const [call] = await rig.run([writeCall('x')], controller.signal);
    expect(call?.status).toBe('cancelled');
  });

  it("passes the user's reason for a refusal to the model", async () => {
    const rig = rigWith();
    rig.reply({ ...no, payload: { feedback: 'use tabs' } });
    const [call] = await rig.run([writeCall('x')]);
    expect(call?.response.error?.message).toContain('The user says: use tabs');
  });
});

describe('the offered answers', () => {
  const offered = async (approvals: ApprovalRigOptions['approvals']) => {
    const rig = rigWith({ approvals });
    rig.reply(no);
    await rig.run([writeCall('x')]);
    return rig.asked[0]?.details;
  };

  it('depend on trust, settings and the editor', async () => {
    expect((await offered({}))?.offeredOutcomes).toEqual([ProceedOnce, ProceedAlways, Cancel]);
    expect((await offered({ allowsAlways: () => false, allowsSaving: () => true }))?.offeredOutcomes).toEqual(
      [ProceedOnce, Cancel],
    );
    const all = await offered({
      allowsSaving: () => true,
      suggestsSaving: () => true,
      offersEditor: () => true,
    });
    expect(all?.offeredOutcomes).toEqual([
      ProceedOnce,
      ProceedAlways,
      ProceedAlwaysAndSave,
      ModifyWithEditor,
      Cancel,
    ]);
    expect(all?.suggestedOutcome).toBe(ProceedAlwaysAndSave);
  });

  it('are the only valid ones, and an "always" that was not offered counts once', async () => {
    const rig = rigWith({ approvals: { allowsAlways: () => false } });
    rig.reply({ confirmed: true, outcome: ProceedAlwaysAndSave });
    const [call] = await rig.run([writeCall('x')]);
    expect([call?.status, rig.updates]).toEqual(['success', []]);
  });

  it('include "always", which becomes a narrow rule', async () => {
    let edits = 0;
    const rig = rigWith({ approvals: { allowsSaving: () => true, onEditsAllowed: () => edits++ } });
    rig.reply(
      { confirmed: true, outcome: ProceedAlwaysAndSave },
      { confirmed: true, outcome: ProceedAlways },
    );
    await rig.run([writeCall('x'), writeCall('y', 'b.txt')]);
    const written = rig.updates.map(({ toolName, persist, path = '' }) => [
      toolName,
      persist,
      basename(path),
    ]);
    expect(written).toEqual([
      ['write_file', true, 'a.txt'],
      ['write_file', false, 'b.txt'],
    ]);
    expect(rig.updates.every(({ path = '' }) => isAbsolute(path))).toBe(true);
    expect(edits).toBe(1);
  });
});

describe('the answers for this project', () => {
  const projectDir = (rig: ApprovalRig) => () => realpathSync(rig.directory.path);
  const ask = async (reply: Reply, ports: ApprovalPorts = {}) => {
    const approvals: ApprovalPorts = { ...ports };
    const rig = rigWith({ approvals });
    approvals.projectDir = projectDir(rig);
    rig.reply(reply);
    const [call] = await rig.run([writeCall('x')]);
    return { rig, call, details: rig.asked[0]?.details, folder: projectDir(rig)() };
  };
  const choose = (projectAnswer: number): Reply => ({
    confirmed: true,
    outcome: ProceedAlwaysAndSave,
    payload: { projectAnswer },
  });

  it('are the whole project and the file, beside unchanged outcomes', async () => {
    const { details, folder } = await ask(no);
    expect(details?.offeredOutcomes).toEqual([ProceedOnce, ProceedAlways, Cancel]);
    expect(details?.projectAnswers).toEqual([
      { covers: 'project', rule: { folder } },
      { covers: 'call', rule: { path: join(folder, 'a.txt') } },
    ]);
  });

  it.each([
    [0, 'folder'],
    [1, 'path'],
  ] as const)('make saved rules for both tools that edit (answer %i)', async (index, key) => {
    const { rig, call } = await ask(choose(index));
    expect(call?.status).toBe('success');
    expect(rig.updates.map(({ toolName, persist }) => [toolName, persist])).toEqual([
      ['write_file', true],
      ['replace', true],
    ]);
    expect(rig.updates.every((update) => update[key] !== undefined)).toBe(true);
  });

  it('do not exist where "always" is not allowed; a made-up answer counts once', async () => {
    const { details, rig, call } = await ask(choose(0), { allowsAlways: () => false });
    expect(details?.projectAnswers).toBeUndefined();
    expect([call?.status, rig.updates]).toEqual(['success', []]);
    const unknown = await ask(choose(7));
    expect([unknown.call?.status, unknown.rig.updates]).toEqual(['success', []]);
  });
});

describe('the shown confirmation details', () => {
  it('have no hidden characters, in names and in contents', async () => {
    const rig = rigWith();
    rig.reply(no);
    await rig.run([writeCall('a\u200bb\n\u202ec\u{e0041}', 'x\u202etxt.exe')]);
    const details = rig.asked[0]?.details;
    expect(details?.title).toContain('x\\u{202E}txt.exe');
    expect(rig.diff(0)).toContain('+a\\u{200B}b\n');
    expect(rig.diff(0)).toContain('+\\u{202E}c\\u{E0041}');
    expect(details?.type === 'edit' && details.newContent).toBe('a\u200bb\n\u202ec\u{e0041}');
  });
});

/** Hands its work to `write_file`. */
class ForwardingTool extends BaseDeclarativeTool<object, ToolResult> {
  constructor(rig: ApprovalRig) {
    super('forward', 'Forward', 'test', Kind.Other, { type: 'object', properties: {} }, rig.bus);
  }

  protected createInvocation(
    params: object,
    ...rest: [ApprovalRig['bus'], string?, string?]
  ): ToolInvocation<object, ToolResult> {
    return new (class extends BaseToolInvocation<object, ToolResult> {
      getDescription() {
        return 'forwards';
      }
      protected async run(): Promise<ToolResult> {
        const args = { file_path: 'tail.txt', content: 'from the tail' };
        return { llmContent: '', returnDisplay: '', tailToolCallRequest: { name: 'write_file', args } };
      }
    })(params, ...rest);
  }
}
