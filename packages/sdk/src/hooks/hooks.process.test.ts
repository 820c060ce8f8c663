import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AnyHook, HookBlockError, hook, tool, z } from '../index.js';
import { call, eventsOf, lab, told } from '../testing/agent-lab.test-helper.js';

const echo = tool(
  { name: 'echo', description: 'echoes', inputSchema: z.object({ text: z.string() }) },
  ({ text }) => `said ${text}`,
);

function textOf(request: { contents: unknown } | undefined): string {
  return JSON.stringify(request?.contents);
}

describe('hooks of a program', () => {
  const run = async (hooks: AnyHook[], turns: Parameters<typeof lab>[0] = ['done']) => {
    const { agent, model } = lab(turns);
    const session = agent({ hooks, tools: [echo] }).session();
    const events = await eventsOf(session.sendStream('the prompt'));
    return { model, events, session };
  };

  it('adds context at SessionStart and BeforeAgent', async () => {
    const { model } = await run([
      hook({ event: 'SessionStart', name: 'start' }, ({ source }) => ({
        hookSpecificOutput: { additionalContext: `began with ${source}` },
      })),
      hook({ event: 'BeforeAgent', name: 'before' }, ({ prompt }) => ({
        hookSpecificOutput: { additionalContext: `about: ${prompt}` },
      })),
    ]);
    expect(textOf(model.requests[0])).toContain('began with startup');
    expect(textOf(model.requests[0])).toContain('about: the prompt');
  });

  it('changes, denies and hides calls with BeforeTool and AfterTool', async () => {
    const { model } = await run(
      [
        hook({ event: 'BeforeTool', name: 'rewrite', matcher: 'echo' }, ({ toolInput }) => {
          if (toolInput['text'] === 'secret') return { decision: 'deny', reason: 'not this word' };
          return { hookSpecificOutput: { toolInput: { text: `${toolInput['text']}!` } } };
        }),
        hook({ event: 'AfterTool', name: 'after', matcher: 'echo' }, ({ toolResponse }) => ({
          hookSpecificOutput: { additionalContext: `seen: ${String(toolResponse.llmContent).length}` },
        })),
      ],
      [call('echo', { text: 'hi' }), call('echo', { text: 'secret' }), 'done'],
    );
    expect(told(model)[0]).toContain('said hi!');
    expect(told(model)[0]).toContain('seen: ');
    expect(told(model)[1]).toContain('not this word');
  });

  it('answers instead of the model, and edits request and answer', async () => {
    const { events, model } = await run([
      hook({ event: 'BeforeModel', name: 'instead' }, ({ llmRequest }) => ({
        hookSpecificOutput: {
          llmResponse: {
            candidates: [{ content: { role: 'model', parts: [`cached for ${llmRequest.messages.length}`] } }],
          },
        },
      })),
    ]);
    expect(events).toContainEqual({ type: 'content', value: expect.stringContaining('cached for') });
    expect(model.requests).toHaveLength(0);
    const second = await run([
      hook({ event: 'AfterModel', name: 'censor' }, ({ llmResponse }) => {
        const text = llmResponse.candidates[0]?.content.parts.join('') ?? '';
        return {
          hookSpecificOutput: {
            llmResponse: { candidates: [{ content: { role: 'model', parts: [text.toUpperCase()] } }] },
          },
        };
      }),
    ]);
    expect(second.events).toContainEqual({ type: 'content', value: 'DONE' });
  });

  it('restricts the tools with BeforeToolSelection', async () => {
    const { model } = await run([
      hook({ event: 'BeforeToolSelection', name: 'only' }, () => ({
        hookSpecificOutput: { toolConfig: { mode: 'AUTO', allowedFunctionNames: ['echo'] } },
      })),
    ]);
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['echo']);
  });

  it('makes the model try again with AfterAgent, once', async () => {
    const { model, events } = await run(
      [
        hook({ event: 'AfterAgent', name: 'check' }, ({ promptResponse, stopHookActive }) =>
          stopHookActive ? undefined : { decision: 'block', reason: `"${promptResponse}" is too short` },
        ),
      ],
      ['short', 'a longer answer'],
    );
    expect(textOf(model.requests[1])).toContain('is too short');
    expect(events).toContainEqual({ type: 'content', value: 'a longer answer' });
  });

  it('stops the whole agent, or blocks a prompt', async () => {
    const stopped = await run([
      hook({ event: 'BeforeModel', name: 'stop' }, () => ({ continue: false, stopReason: 'closed' })),
    ]);
    expect(stopped.events.at(-1)).toEqual({ type: 'agent_execution_stopped', value: { reason: 'closed' } });
    expect(stopped.model.requests).toHaveLength(0);
    const blocked = await run([
      hook({ event: 'BeforeAgent', name: 'no' }, () => ({ decision: 'deny', reason: 'not now' })),
    ]);
    expect(blocked.events.at(-1)).toEqual({ type: 'agent_execution_blocked', value: { reason: 'not now' } });
  });

  it('says what a hook that stops told the user, and that it emptied the conversation', async () => {
    const { events, session } = await run([
      hook({ event: 'AfterAgent', name: 'fresh' }, () => ({
        continue: false,
        stopReason: 'enough',
        systemMessage: 'We begin anew.',
        hookSpecificOutput: { clearContext: true },
      })),
    ]);
    expect(events.at(-1)).toEqual({
      type: 'agent_execution_stopped',
      value: { reason: 'We begin anew.', contextCleared: true },
    });
    expect(session.transcript).toEqual([]);
  });

  it('observes the end of a session, checks of the context, and questions', async () => {
    const seen: string[] = [];
    const { agent } = lab([call('write_file', { file_path: 'a.txt', content: 'x' }), 'done']);
    const mine = agent({
      onApproval: () => 'allow',
      hooks: [
        hook({ event: 'SessionEnd', name: 'end' }, ({ reason }) => void seen.push(`end ${reason}`)),
        hook({ event: 'PreCompress', name: 'compress' }, ({ trigger }) => void seen.push(trigger)),
        hook(
          { event: 'Notification', name: 'note' },
          ({ notificationType, details }) => void seen.push(`${notificationType} ${details['type']}`),
        ),
      ],
    });
    await mine.send('go');
    await mine.dispose();
    expect(seen).toEqual(['auto', 'ToolPermission edit', 'auto', 'end exit']);
  });

  it('continues when a hook throws, hangs, or returns nonsense', async () => {
    const { events } = await run([
      hook({ event: 'BeforeAgent', name: 'throws' }, () => {
        throw new Error('broken hook');
      }),
      hook(
        { event: 'BeforeAgent', name: 'hangs', timeout: 20 },
        () => new Promise<undefined>(() => undefined),
      ),
      hook({ event: 'BeforeAgent', name: 'text' }, () => 'nonsense' as never),
      hook({ event: 'BeforeAgent', name: 'types' }, () => ({ continue: 'no' }) as never),
    ]);
    expect(events).toContainEqual({ type: 'content', value: 'done' });
    const warnings = JSON.stringify(events.filter(({ type }) => type === 'warning'));
    for (const name of ['throws', 'hangs', 'text', 'types']) expect(warnings).toContain(name);
  });

  it('may use files of the session, and sees the path of file tools', async () => {
    const { agent, read } = lab([call('write_file', { file_path: 'a.txt', content: 'plain' }), 'done']);
    const upper = hook(
      { event: 'AfterTool', name: 'upper', matcher: 'write_file' },
      async ({ toolInput }, ctx) => {
        await ctx.fs.write(toolInput.path, (await ctx.fs.read(toolInput.path)).toUpperCase());
      },
    );
    await agent({ hooks: [upper], onApproval: () => 'allow' }).send('go');
    expect(read('a.txt')).toBe('PLAIN');
  });
});

describe('a hook as a command', () => {
  afterEach(() => {
    process.exitCode = undefined;
    vi.unstubAllEnvs();
  });
  /** It runs as the user of the process. */
  const place = () => {
    const here = lab();
    vi.stubEnv('HOME', here.home);
    vi.stubEnv('GEMINI_CLI_HOME', here.home);
    return here;
  };
  const deny = hook(
    { event: 'BeforeTool', name: 'guard', matcher: 'write_.*' },
    async ({ toolInput }, ctx) => {
      if (toolInput['content'] === 'block') throw new HookBlockError('never');
      if (toolInput['content'] === 'throw') throw new Error('oops');
      console.log('to stderr');
      if (toolInput['content'] === 'shell') {
        const { stdout, error } = await ctx.shell.exec('touch made; echo ran');
        return { systemMessage: error?.message ?? stdout };
      }
      const before = await ctx.fs.readFile(toolInput.path);
      return {
        decision: 'allow',
        hookSpecificOutput: { toolInput: { content: `${before}|${ctx.sessionId}` } },
      };
    },
  );
  const serve = async (input: object | string) => {
    const stdin = new PassThrough();
    stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
    let [stdout, stderr] = ['', ''];
    await deny.runAsCommand({
      stdin,
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
    });
    return { stdout, stderr, exitCode: process.exitCode ?? 0 };
  };
  const input = (folder: string, content: string) => ({
    session_id: 's1',
    transcript_path: '',
    cwd: folder,
    hook_event_name: 'BeforeTool',
    timestamp: new Date().toISOString(),
    tool_name: 'write_file',
    tool_input: { file_path: 'a.txt', content },
  });

  it('reads stdin, and writes the result with the names of the wire', async () => {
    const { folder, write } = place();
    write('a.txt', 'before');
    const { stdout, stderr, exitCode } = await serve(input(folder, 'x'));
    expect(JSON.parse(stdout)).toEqual({
      decision: 'allow',
      hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { content: 'before|s1' } },
    });
    expect({ stderr, exitCode }).toEqual({ stderr: 'to stderr\n', exitCode: 0 });
  });

  it('has commands that run, unless a rule denies them', async () => {
    const { folder, home, read } = place();
    const { stdout } = await serve(input(folder, 'shell'));
    expect(JSON.parse(stdout)).toEqual({ systemMessage: 'ran\n' });
    expect(read('made')).toBe('');
    mkdirSync(join(home, '.gemini/policies'), { recursive: true });
    const rule =
      '[[rule]]\ntoolName = "run_shell_command"\ndecision = "deny"\npriority = 900\ndenyMessage = "Not here."\n';
    writeFileSync(join(home, '.gemini/policies/mine.toml'), rule);
    expect(JSON.parse((await serve(input(folder, 'shell'))).stdout)).toEqual({ systemMessage: 'Not here.' });
  });

  it('has commands that run in a project with rules and agents of its own, of which no user can be asked', async () => {
    const { folder } = place();
    for (const dir of ['policies', 'agents']) mkdirSync(join(folder, '.gemini', dir), { recursive: true });
    const rule = '[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 10\n';
    writeFileSync(join(folder, '.gemini/policies/project.toml'), rule);
    writeFileSync(
      join(folder, '.gemini/agents/reviewer.md'),
      '---\nname: reviewer\ndescription: Reviews.\n---\nReview.\n',
    );
    const { stdout } = await serve(input(folder, 'shell'));
    expect(JSON.parse(stdout)).toEqual({ systemMessage: 'ran\n' });
  });

  it('fails when its process ends before the hook has finished', () => {
    expect(asProcess('() => new Promise(() => {})')).toEqual({
      stdout: '',
      stderr: 'The hook "lost" did not finish.\n',
      status: 1,
    });
  });

  it('keeps the exit code with which the hook ends its process', () => {
    expect(asProcess('() => { console.error("never"); process.exit(2); }')).toEqual({
      stdout: '',
      stderr: 'never\n',
      status: 2,
    });
  });

  it('blocks with exit code 2, fails with 1, and ignores what is not for it', async () => {
    const { folder } = place();
    expect(await serve(input(folder, 'block'))).toEqual({ stdout: '', stderr: 'never\n', exitCode: 2 });
    process.exitCode = undefined;
    expect(await serve(input(folder, 'throw'))).toMatchObject({ stdout: '', exitCode: 1 });
    process.exitCode = undefined;
    expect(await serve('{broken')).toMatchObject({ stdout: '', exitCode: 1 });
    process.exitCode = undefined;
    const other = { ...input(folder, 'block'), hook_event_name: 'AfterTool' };
    expect(await serve(other)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    const tool = { ...input(folder, 'block'), tool_name: 'read_file' };
    expect(await serve(tool)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });
});

function asProcess(action: string): { stdout: string; stderr: string; status: number | null } {
  const source = `
    import { hook } from '@gemini-cli/sdk';
    hook({ event: 'BeforeTool', name: 'lost' }, ${action}).runAsCommand();
  `;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--conditions=gemini-source', '--import', 'tsx', '--input-type=module', '-e', source],
    { cwd: import.meta.dirname, input: '{"hook_event_name":"BeforeTool"}', encoding: 'utf8' },
  );
  return { stdout, stderr, status };
}
