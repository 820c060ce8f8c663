import { afterEach, describe, expect, it } from 'vitest';
import { type Containment, PolicyDecision } from '../../protocol/confirmation.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  type ExecuteOptions,
  Kind,
  type ToolResult,
} from '../../tools/tools.js';
import { ApprovalRig, type ApprovalRigOptions, yes } from './approvals.test-helper.js';

const { ALLOW, ASK_USER } = PolicyDecision;
const rigs: ApprovalRig[] = [];
afterEach(() => {
  for (const rig of rigs.splice(0)) rig.directory.cleanup();
});

/** Reports how it was run, and asks to run again if the user agreed to that. */
function rigWith(name: string, options: ApprovalRigOptions = {}) {
  const rig = new ApprovalRig({
    check: async () => ({ decision: ALLOW, containment: 'read-only' }),
    ...options,
  });
  rigs.push(rig);
  const runs: (Containment | undefined)[] = [];
  const plans: Partial<ToolResult>[] = [];
  class Invocation extends BaseToolInvocation<{ command: string }, ToolResult> {
    getDescription() {
      return this.params.command;
    }
    protected async run({ containment }: ExecuteOptions): Promise<ToolResult> {
      runs.push(containment);
      return { llmContent: 'ran', returnDisplay: 'ran', ...plans.shift() };
    }
  }
  class Tool extends BaseDeclarativeTool<{ command: string }, ToolResult> {
    protected createInvocation(params: { command: string }) {
      return new Invocation(params, this.messageBus, name);
    }
  }
  const schema = { type: 'object', properties: { command: { type: 'string' } } } as const;
  rig.registry.registerTool(new Tool(name, name, '', Kind.Execute, schema, rig.bus, false, false));
  return { rig, runs, plans, run: () => rig.run([[name, { command: 'ls' }]]) };
}

describe('a call that policy allows only in a sandbox', () => {
  it('runs in the sandbox, and again without it if the user agrees', async () => {
    const { runs, plans, run } = rigWith('run_shell_command');
    await run();
    expect(runs).toEqual(['read-only']);
    plans.push({ runAgainUncontained: true });
    const [call] = await run();
    expect(runs).toEqual(['read-only', 'read-only', undefined]);
    expect(call?.decision).toBe('accept');
  });

  it('does not run with another tool, which has no sandbox', async () => {
    const { runs, run } = rigWith('other_tool');
    const [call] = await run();
    expect(call?.status).toBe('error');
    expect(runs).toEqual([]);
  });

  it('runs without the sandbox if the user was asked, by a rule or by a hook', async () => {
    const asked = rigWith('run_shell_command', {
      check: async () => ({ decision: ASK_USER, containment: 'read-only' }),
    });
    asked.rig.reply(yes);
    await asked.run();
    expect(asked.runs).toEqual([undefined]);
    const hooked = rigWith('run_shell_command', { hooks: { beforeTool: async () => ({ ask: 'Really?' }) } });
    hooked.rig.reply(yes);
    await hooked.run();
    expect(hooked.runs).toEqual([undefined]);
  });

  it("stays in the sandbox when a result asks for more without the user's approval", async () => {
    const { runs, plans, run } = rigWith('run_shell_command', { check: async () => ({ decision: ALLOW }) });
    plans.push({ runAgainUncontained: true });
    await run();
    expect(runs).toEqual([undefined]);
  });
});
