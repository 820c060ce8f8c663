import { describe, expect, it } from 'vitest';
import { type ApprovalOutcome, type ApprovalRequest, extension, tool, z } from '../index.js';
import { call, eventsOf, lab, told } from '../testing/agent-lab.test-helper.js';

const write = (content: string, file_path = 'a.txt') => call('write_file', { file_path, content });

describe('approvals', () => {
  it('refuses what would ask when no user answers', async () => {
    const { agent, model, folder } = lab([write('x'), 'done']);
    await agent().send('go');
    expect(told(model)[0]).toMatch(/approval/);
    expect(folder).toBeTruthy();
  });

  it('asks the program, which sees what would change', async () => {
    const { agent, read } = lab([write('new text'), 'done']);
    const asked: ApprovalRequest[] = [];
    const events = await eventsOf(
      agent({
        onApproval: (request, ctx) => {
          asked.push(request);
          return ctx.sessionId ? 'allow' : 'deny';
        },
      }).sendStream('go'),
    );
    expect(asked).toMatchObject([
      {
        toolName: 'write_file',
        kind: 'edit',
        args: { file_path: 'a.txt' },
        details: { newContent: 'new text' },
      },
    ]);
    expect(events.map(({ type }) => type)).toContain('tool_call_confirmation');
    expect(read('a.txt')).toBe('new text');
  });

  it.each<[string, ApprovalOutcome, string | undefined]>([
    ['other content', { outcome: 'allow', newContent: 'reviewed' }, 'reviewed'],
    ['other arguments', { outcome: 'allow', args: { file_path: 'a.txt', content: 'by args' } }, 'by args'],
    ['a reason', { outcome: 'deny', reason: 'too early' }, undefined],
    ['an unknown word', 'perhaps' as ApprovalOutcome, undefined],
  ])('takes %s', async (_name, outcome, content) => {
    const { agent, model, read } = lab([write('first'), 'done']);
    await agent({ onApproval: () => outcome }).send('go');
    if (content !== undefined) expect(read('a.txt')).toBe(content);
    else expect(() => read('a.txt')).toThrow();
    if (typeof outcome === 'object' && outcome.outcome === 'deny')
      expect(told(model)[0]).toContain('too early');
  });

  it('refuses when the handler fails', async () => {
    const { agent, read } = lab([write('x'), 'done']);
    const onApproval = () => {
      throw new Error('no screen');
    };
    expect((await agent({ onApproval }).send('go')).finishReason).toBeTruthy();
    expect(() => read('a.txt')).toThrow();
  });

  it('does not ask again after allow_session', async () => {
    const { agent } = lab([
      call('run_shell_command', { command: 'mkdir one' }),
      call('run_shell_command', { command: 'mkdir two' }),
      'done',
    ]);
    let asked = 0;
    const rule = { toolName: 'echo', decision: 'ask_user' as const };
    const echo = tool(
      { name: 'echo', description: 'e', inputSchema: z.object({}), confirm: true },
      () => 'ok',
    );
    const mine = lab([call('echo'), call('echo'), 'done']);
    await mine
      .agent({
        tools: [echo],
        policies: [rule],
        onApproval: () => {
          asked++;
          return 'allow_session';
        },
      })
      .send('go');
    expect(asked).toBeLessThanOrEqual(2);
    expect(agent).toBeTruthy();
  });

  it('asks for a tool that wants it, with its words', async () => {
    const titles: string[] = [];
    const pay = tool(
      {
        name: 'pay',
        description: 'pays',
        inputSchema: z.object({ sum: z.number() }),
        confirm: ({ sum }) => (sum > 10 ? `Pay ${sum}?` : false),
      },
      ({ sum }) => `paid ${sum}`,
    );
    const { agent, model } = lab([call('pay', { sum: 5 }), call('pay', { sum: 50 }), 'done']);
    await agent({
      tools: [pay],
      onApproval: ({ details }) => {
        titles.push(details.type === 'info' ? details.prompt : '');
        return 'deny';
      },
    }).send('go');
    expect(titles).toEqual(['Pay 50?']);
    expect(told(model)[0]).toBe('paid 5');
  });

  it('obeys the rules of the program before the defaults', async () => {
    const { agent, model, read } = lab([
      write('x'),
      call('run_shell_command', { command: 'echo hi' }),
      'done',
    ]);
    await agent({
      policies: [
        { toolName: 'write_file', decision: 'allow' },
        { commandPrefix: 'echo', decision: 'deny', denyMessage: 'Be silent.' },
      ],
      onApproval: () => 'deny',
    }).send('go');
    expect(read('a.txt')).toBe('x');
    expect(told(model)[1]).toContain('Be silent.');
  });

  it('rejects a rule that makes no sense', async () => {
    const { agent } = lab(['unused']);
    const policies = [{ decision: 'perhaps' as 'allow', toolName: 'x' }];
    await expect(agent({ policies }).send('go')).rejects.toThrow(/decision/);
  });

  it('lets extensions restrict, not allow', async () => {
    const { agent, model } = lab([write('x'), call('list_directory', { dir_path: '.' }), 'done']);
    const strict = extension({
      name: 'strict',
      policies: [
        { toolName: 'write_file', decision: 'allow' },
        { toolName: 'list_directory', decision: 'deny', denyMessage: 'No lists.' },
      ],
    });
    const events = await eventsOf(agent({ extensions: [strict] }).sendStream('go'));
    expect(told(model)[0]).toMatch(/approval/);
    expect(JSON.stringify(events)).toContain('can only restrict');
  });

  it('runs in plan mode only what reads', async () => {
    const note = tool({ name: 'note', description: 'n', inputSchema: z.object({}) }, () => 'noted');
    const look = tool(
      { name: 'look', description: 'l', inputSchema: z.object({}), kind: 'read' },
      () => 'seen',
    );
    const { agent, model } = lab([call('note'), call('look'), 'done']);
    await agent({ approvalMode: 'plan', tools: [note, look] }).send('go');
    expect(told(model)[0]).toMatch(/plan/i);
    expect(told(model)[1]).toBe('seen');
  });
});

describe('questions to the user', () => {
  const question = {
    question: 'Which?',
    header: 'Choice',
    type: 'choice',
    options: [
      { label: 'A', description: 'a' },
      { label: 'B', description: 'b' },
    ],
  };

  it('are answered by onAskUser, for the model and for tools', async () => {
    const { agent, model } = lab([call('ask_user', { questions: [question] }), call('quiz'), 'done']);
    const quiz = tool({ name: 'quiz', description: 'q', inputSchema: z.object({}) }, async (_params, ctx) => {
      const { answers } = await ctx.ask({ question: 'Name?', header: 'Name' });
      return answers['0'];
    });
    await agent({
      tools: [quiz],
      onAskUser: (questions) => ({ answers: { '0': questions[0]?.header === 'Name' ? 'Ada' : 'B' } }),
    }).send('go');
    expect(told(model)[0]).toContain('B');
    expect(told(model)[1]).toBe('Ada');
  });

  it('are not offered without it', async () => {
    const { agent, model } = lab([call('quiz'), 'done']);
    const quiz = tool(
      { name: 'quiz', description: 'q', inputSchema: z.object({}), sendErrorsToModel: true },
      (_params, ctx) => ctx.ask({ question: 'Name?', header: 'Name' }),
    );
    await agent({ tools: [quiz], onApproval: () => 'allow' }).send('go');
    expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain('ask_user');
    expect(told(model)[0]).toContain('onAskUser');
  });
});
