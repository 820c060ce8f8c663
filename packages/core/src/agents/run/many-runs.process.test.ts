/** Several agents at once: their bound, their order, files they share, the background, worktrees. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentOf, answersTo, call, complete, invoke, sessionWith } from '../../config/agents.test-helper.js';
import type { ConfigParameters } from '../../engine/parameters.js';
import type { FakeAnswer } from '../../model/wrappers/fake.js';
import type { AgentEvent } from '../../protocol/agent-events.js';
import { ApprovalMode } from '../../protocol/confirmation.js';

const invokeAll = (...names: string[]): FakeAnswer => ({
  calls: names.map((name) => ({ name: 'invoke_agent', args: { agent_name: name, prompt: `be ${name}` } })),
});

const resultsOf = (answers: readonly string[]) =>
  answers.map((text) => /Result: (.*)/.exec(text)?.[1] ?? text);

describe('several agents in one turn', () => {
  it('work side by side, and report in the order they were asked for', async () => {
    const names = ['one', 'two', 'three'];
    const { send, config, events } = await sessionWith(
      names.map((name) => agentOf(name)),
      {
        main: [invokeAll(...names), 'thanks'],
        one: [call('glob', { pattern: 'a' }), call('glob', { pattern: 'b' }), complete('first')],
        two: [complete('second')],
        three: [call('glob', { pattern: 'c' }), complete('third')],
      },
    );
    await send();
    expect(resultsOf(answersTo(config))).toEqual(['first', 'second', 'third']);
    const order = events.flatMap(({ type, agent }) =>
      type === 'agent_started' || type === 'agent_finished' ? [`${agent.name} ${type.slice(6)}`] : [],
    );
    expect(order.slice(0, 3).every((entry) => entry.endsWith('started'))).toBe(true);
    expect(order.indexOf('two finished')).toBeLessThan(order.indexOf('one finished'));
  });

  it('are bounded by agents.maxParallel', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { send, events } = await sessionWith(
      names.map((name) => agentOf(name)),
      {
        main: [invokeAll(...names), 'thanks'],
        ...Object.fromEntries(names.map((name) => [name, [call('glob', { pattern: name }), complete(name)]])),
      },
      { agents: { maxParallel: 2 } },
    );
    await send();
    let running = 0;
    let most = 0;
    for (const { type } of events) {
      if (type === 'agent_started') most = Math.max(most, ++running);
      if (type === 'agent_finished') running--;
    }
    expect([most, running]).toEqual([2, 0]);
  });

  it('go on when one of them fails', async () => {
    const { send, config } = await sessionWith(
      [agentOf('good'), agentOf('bad', { modelConfig: { model: 'nobody/x' } })],
      { main: [invokeAll('bad', 'good'), 'thanks'], good: [complete('fine')] },
    );
    await send();
    const [bad, good] = answersTo(config);
    expect(bad).toContain('Termination Reason: ERROR');
    expect(good).toContain('Result: fine');
  });

  it('share ledger and budget with the conversation, and the ledger knows what each cost', async () => {
    const { send, config } = await sessionWith([agentOf('one'), agentOf('two')], {
      main: [invokeAll('one', 'two'), 'thanks'],
      one: [complete('1')],
      two: [call('glob', { pattern: 'x' }), complete('2')],
    });
    await send();
    const byAgent = config.getLedger().byAgent();
    expect([...byAgent.keys()].sort()).toEqual(['one', 'two']);
    expect(byAgent.get('two')?.calls).toBe(2);
    expect(config.getLedger().totals().calls).toBe(5);
  });

  it('tell the second writer of a file that the first has changed it', async () => {
    const { send, config, requestsOf } = await sessionWith([agentOf('one'), agentOf('two')], {
      main: [invoke('one'), invoke('two'), 'thanks'],
      one: [
        call('read_file', { file_path: 'a.txt' }),
        call('write_file', { file_path: 'a.txt', content: 'by one\n' }),
        complete('wrote'),
      ],
      two: [
        call('write_file', { file_path: 'a.txt', content: 'by two\n' }),
        call('read_file', { file_path: 'a.txt' }),
        call('write_file', { file_path: 'a.txt', content: 'by one and two\n' }),
        complete('wrote too'),
      ],
    });
    const file = join(config.getTargetDir(), 'a.txt');
    writeFileSync(file, 'nobody\n');
    await send();
    const told = requestsOf('two')[1]?.messages.at(-1)?.parts[0]?.functionResponse?.response['error'];
    expect(told).toContain('was changed by another agent');
    expect(readFileSync(file, 'utf8')).toBe('by one and two\n');
  });
});

describe('an agent in the background', () => {
  it('lets the conversation go on, is listed, and reports when it is done', async () => {
    const { send, config, events, requestsOf } = await sessionWith([agentOf('slow')], {
      main: [invoke('slow', 'take your time'), 'I do not wait.', 'So it is done.'],
      slow: [call('glob', { pattern: 'a' }), call('glob', { pattern: 'b' }), complete('found it')],
    });
    const runs = config.getAgentCaller();
    let isMoved = false;
    config.getEvents().subscribe((event) => {
      if (event.type !== 'tool_finished' || event.agent.name !== 'slow' || isMoved) return;
      isMoved = true;
      expect(runs.moveToBackground()).toBe(1);
      expect(runs.say(runs.list()[0]?.id ?? '', 'look for b, too')).toBe(true);
    });
    const reported = new Promise<AgentEvent>((resolve) => {
      config.getEvents().subscribe((event) => {
        if (event.type === 'background_completed') resolve(event);
      });
    });
    await send();
    expect(answersTo(config)[0]).toContain('works on; its report comes as a message');
    expect(await reported).toMatchObject({
      kind: 'inject',
      text: expect.stringContaining('Result: found it'),
    });
    expect(runs.list()).toMatchObject([{ name: 'slow', isBackground: true, status: 'completed' }]);
    expect(JSON.stringify(requestsOf('slow').at(-1)?.messages)).toContain('look for b, too');
    expect(events.filter(({ type }) => type === 'agent_moved')).toHaveLength(1);
  });

  it('is stopped by its id, and at the end of the session', async () => {
    const endless = Array.from({ length: 300 }, (_, index) => call('glob', { pattern: `${index}` }));
    const { send, config, events } = await sessionWith(
      [agentOf('slow', { runConfig: { maxTimeMinutes: 5, maxTurns: 500 } })],
      { main: [invoke('slow'), 'fine'], slow: endless },
      { disableLoopDetection: true },
    );
    const runs = config.getAgentCaller();
    const ended = new Promise<AgentEvent>((resolve) => {
      config.getEvents().subscribe((event) => {
        if (event.type === 'tool_finished' && event.agent.name === 'slow') runs.moveToBackground();
        if (event.type === 'agent_finished') resolve(event);
      });
    });
    await send();
    expect(runs.stop(runs.list()[0]?.id ?? '')).toBe(true);
    expect(await ended).toMatchObject({ terminateReason: 'ABORTED', isBackground: true });
    expect(runs.stop('slow-1')).toBe(false);
    expect(events.some(({ type }) => type === 'background_completed')).toBe(false);
  });
});

describe('an agent in a worktree', () => {
  function inGit(folder: string) {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
    git('init', '-q');
    writeFileSync(join(folder, 'a.txt'), 'original\n');
    git('add', '.');
    git('commit', '-qm', 'start');
    return git;
  }

  async function inRepository(script: readonly FakeAnswer[], parameters: Partial<ConfigParameters> = {}) {
    const session = await sessionWith(
      [agentOf('coder', { isolation: 'worktree' })],
      { main: [invoke('coder'), 'thanks'], coder: script },
      parameters,
    );
    const folder = session.config.getTargetDir();
    const git = inGit(folder);
    await session.send();
    return { ...session, folder, git };
  }

  it("keeps its changes there, names the place, and leaves the user's files alone", async () => {
    const { config, folder, requestsOf, events } = await inRepository([
      call('write_file', { file_path: 'a.txt', content: 'changed\n' }),
      call('run_shell_command', { command: 'pwd' }),
      complete('done'),
    ]);
    const [answer = ''] = answersTo(config);
    const shown = events.flatMap((event) =>
      event.type === 'tool_finished' && event.agent.id === 'main' ? [event.call.response.resultDisplay] : [],
    );
    expect(JSON.stringify(shown)).toMatch(/done\\n\\nIts changes are in the worktree/);
    const path = /worktree (\S+) \(branch (worktree-coder-\w+)\)/.exec(answer)?.[1] ?? '';
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('original\n');
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('changed\n');
    expect(JSON.stringify(requestsOf('coder')[2]?.messages.at(-1))).toContain(path);
    expect(requestsOf('coder')[0]?.systemInstruction).toContain(path);
  });

  it('may write there as it may write in the project, but not to protected names', async () => {
    const { config, requestsOf } = await inRepository(
      [
        call('write_file', { file_path: 'src/b.ts', content: 'x\n' }),
        call('write_file', { file_path: '.gemini/settings.json', content: '{}\n' }),
        complete('done'),
      ],
      { approvalMode: ApprovalMode.AUTO_EDIT },
    );
    const responses = requestsOf('coder')
      .slice(1)
      .map(({ messages }) => messages.at(-1)?.parts[0]?.functionResponse?.response ?? {});
    expect(responses.map((response) => 'error' in response)).toEqual([false, true]);
    expect(answersTo(config)[0]).toContain('worktree');
  });

  it('names the place of its work when it is stopped in the background', async () => {
    const { config, events, send } = await sessionWith(
      [agentOf('coder', { isolation: 'worktree' })],
      {
        main: [invoke('coder'), 'I do not wait'],
        coder: [
          call('write_file', { file_path: 'b.txt', content: 'x\n' }),
          call('run_shell_command', { command: 'sleep 100' }),
        ],
      },
      { approvalMode: ApprovalMode.YOLO },
    );
    inGit(config.getTargetDir());
    const runs = config.getAgentCaller();
    const stopped = new Promise<void>((resolve) => {
      config.getEvents().subscribe((event) => {
        if (event.type === 'tool_status' && event.status === 'executing' && event.displayName === 'Shell')
          runs.moveToBackground();
        if (event.type === 'agent_moved') runs.stop('coder-1');
        if (event.type === 'notice' && event.message.includes('worktree')) resolve();
      });
    });
    await send();
    await stopped;
    const notices = events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));
    expect(notices).toEqual([expect.stringMatching(/^Agent coder: Its changes are in the worktree /)]);
  });

  it('leaves nothing behind when it has changed nothing', async () => {
    const { config, folder, git } = await inRepository([
      call('read_file', { file_path: 'a.txt' }),
      complete('nothing to do'),
    ]);
    expect(answersTo(config)[0]).not.toContain('worktree');
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(git('branch', '--list', 'worktree-*').trim()).toBe('');
    expect(existsSync(join(folder, 'a.txt'))).toBe(true);
  });

  it('fails with a clear message outside a git repository', async () => {
    const { send, config } = await sessionWith([agentOf('coder', { isolation: 'worktree' })], {
      main: [invoke('coder'), 'thanks'],
    });
    await send();
    expect(answersTo(config)[0]).toContain('git repository');
  });
});
