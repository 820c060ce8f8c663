import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GeminiCliAgentOptions, PolicyError, type SessionContext } from '../index.js';
import { lab } from '../testing/agent-lab.test-helper.js';

async function start(options: GeminiCliAgentOptions = {}) {
  const here = lab();
  const session = here.agent(options).session();
  await session.initialize();
  const ctx: SessionContext = session.context();
  return { ...here, session, ctx };
}

const RUN = { onApproval: () => 'allow' as const };

describe('files of the session', () => {
  it('reads, writes, lists and finds below the folder', async () => {
    const { ctx, write } = await start();
    write('src/a.ts', 'a');
    write('.geminiignore', 'hidden\n');
    write('hidden/b.ts', 'b');
    await ctx.fs.writeFile('new/c.ts', 'c');
    expect(await ctx.fs.readFile('new/c.ts')).toBe('c');
    expect(await ctx.fs.readFile('missing')).toBeNull();
    await expect(ctx.fs.read('missing')).rejects.toThrow(/not found/i);
    expect(await ctx.fs.list('.')).toEqual(['.geminiignore', 'new/', 'src/']);
    expect(await ctx.fs.glob('**/*.ts')).toEqual(['new/c.ts', 'src/a.ts']);
    expect(await ctx.fs.stat('src')).toMatchObject({ isDirectory: true });
    expect(await ctx.fs.exists('src/none')).toBe(false);
    expect([...((await ctx.fs.readBinary('src/a.ts')) ?? [])]).toEqual([97]);
    await ctx.fs.mkdir('deep/er');
    await ctx.fs.delete('deep/er');
    await ctx.fs.delete('new/c.ts');
    expect(await ctx.fs.exists('new/c.ts')).toBe(false);
  });

  it('reads no ignored file, not through a link either', async () => {
    const { ctx, folder, write } = await start();
    mkdirSync(join(folder, '.git'));
    write('.gitignore', 'secret\n');
    write('.geminiignore', 'hidden\n');
    for (const name of ['secret', 'hidden']) {
      write(name, 'x');
      symlinkSync(join(folder, name), join(folder, `link-to-${name}`));
      for (const path of [name, `link-to-${name}`]) {
        expect(await ctx.fs.readFile(path), path).toBeNull();
        expect(await ctx.fs.readBinary(path), path).toBeNull();
        await expect(ctx.fs.read(path)).rejects.toBeInstanceOf(PolicyError);
      }
    }
  });

  it('refuses what is outside, and what a rule denies', async () => {
    const { ctx, home, write } = await start({
      policies: [{ toolName: 'write_file', argsPattern: 'locked', decision: 'deny' }],
    });
    write('locked.txt', 'x');
    await expect(ctx.fs.write('../outside.txt', 'x')).rejects.toBeInstanceOf(PolicyError);
    expect(await ctx.fs.readFile(join(home, 'x'))).toBeNull();
    await expect(ctx.fs.write('locked.txt', 'y')).rejects.toBeInstanceOf(PolicyError);
    await ctx.fs.write('open.txt', 'y');
    await expect(ctx.fs.write('nul\0.txt', 'x')).rejects.toBeInstanceOf(PolicyError);
  });

  it('writes nothing in plan mode', async () => {
    const { ctx } = await start({ approvalMode: 'plan' });
    await expect(ctx.fs.write('a.txt', 'x')).rejects.toBeInstanceOf(PolicyError);
  });
});

describe('commands of the session', () => {
  it('says what is wrong with a command instead of rejecting, and may have no limit of time', async () => {
    const { ctx } = await start(RUN);
    for (const command of ['', ' ', undefined as never])
      expect(await ctx.shell.exec(command)).toMatchObject({
        exitCode: null,
        error: expect.objectContaining({ code: 'SHELL_START', message: 'The command is empty.' }),
      });
    await expect(ctx.shell.start('').exited).rejects.toThrow('empty');
    expect(await ctx.shell.exec('sleep 0.2; echo ok', { timeoutSeconds: Infinity })).toMatchObject({
      stdout: 'ok\n',
      timedOut: false,
    });
  });

  it('keeps the streams apart, and takes variables and input', async () => {
    const { ctx } = await start(RUN);
    const result = await ctx.shell.exec('cat; echo "$WORD"; echo wrong >&2; exit 3', {
      env: { WORD: 'yes' },
      input: 'typed\n',
    });
    expect(result).toMatchObject({ exitCode: 3, stdout: 'typed\nyes\n', stderr: 'wrong\n', timedOut: false });
    expect(result.output).toContain('yes');
  });

  it('kills a command with all that it started when its time is up', async () => {
    const { ctx, folder } = await start(RUN);
    const result = await ctx.shell.exec('(sleep 2; touch late) & sleep 60', { timeoutSeconds: 0.3 });
    expect(result).toMatchObject({ exitCode: null, timedOut: true });
    expect(existsSync(join(folder, 'late'))).toBe(false);
  });

  it('ends a command that writes without end, and keeps only the last of it for a late reader', async () => {
    const { ctx } = await start(RUN);
    const { error, exitCode, output } = await ctx.shell.exec('yes');
    expect(error).toMatchObject({ code: 'OUTPUT_TOO_LARGE' });
    expect(exitCode).toBeNull();
    expect(output.length).toBeLessThan(40 * 1024 * 1024);
    const process = ctx.shell.start('head -c 50000000 /dev/zero; echo; echo last');
    await process.exited;
    let seen = 0;
    let end = '';
    for await (const { data } of process) {
      seen += data.length;
      end = data.slice(-5);
    }
    expect(seen).toBeLessThanOrEqual(32 * 1024 * 1024);
    expect(end).toBe('last\n');
  });

  it('tells a reader that has missed output, instead of going on after the gap', async () => {
    const { ctx } = await start(RUN);
    const process = ctx.shell.start('head -c 50000000 /dev/zero');
    const reader = process[Symbol.asyncIterator]();
    expect((await reader.next()).done).toBe(false);
    await process.exited;
    await expect(reader.next()).rejects.toMatchObject({ code: 'OUTPUT_TOO_LARGE' });
    expect((await reader.next()).done).toBe(true);
  });

  it('streams, takes input while it runs, and ends with a signal', async () => {
    const { ctx } = await start(RUN);
    const process = ctx.shell.start('while read line; do echo "got $line"; done; echo end');
    process.write('one\n');
    const seen: string[] = [];
    for await (const { stream, data } of process) {
      seen.push(`${stream}:${data.trim()}`);
      if (seen.length === 1) process.endInput();
    }
    expect(seen.join(' ')).toBe('stdout:got one stdout:end');
    expect(await process.exited).toEqual({ exitCode: 0 });
    const sleeper = ctx.shell.start('echo up; sleep 60');
    for await (const line of sleeper.stdout) {
      expect(line).toBe('up\n');
      break;
    }
    sleeper.kill();
    expect((await sleeper.exited).exitCode).not.toBe(0);
  });

  it('asks the program, and reports a refusal', async () => {
    const asked: unknown[] = [];
    const { ctx } = await start({
      onApproval: ({ toolName, args }) => {
        asked.push([toolName, args['command']]);
        return 'deny';
      },
    });
    const { error, exitCode } = await ctx.shell.exec('mkdir x');
    expect(error).toBeInstanceOf(PolicyError);
    expect(exitCode).toBeNull();
    expect(asked).toEqual([['run_shell_command', 'mkdir x']]);
    await expect(ctx.shell.start('mkdir y').exited).rejects.toBeInstanceOf(PolicyError);
  });

  it('obeys the rules of the program', async () => {
    const policies = [
      { commandPrefix: 'echo', decision: 'allow' as const },
      { commandPrefix: 'rm', decision: 'deny' as const, denyMessage: 'Nothing is removed here.' },
    ];
    const { ctx } = await start({ policies });
    expect((await ctx.shell.exec('echo hi')).stdout).toBe('hi\n');
    expect((await ctx.shell.exec('rm x')).error?.message).toContain('Nothing is removed here.');
  });

  it('opens a terminal when asked', async () => {
    const { ctx } = await start(RUN);
    const { stdout } = await ctx.shell.exec('test -t 1 && echo terminal', { pty: true });
    expect(stdout).toContain('terminal');
  });

  it('ends with the session', async () => {
    const { ctx, session } = await start(RUN);
    const process = ctx.shell.start('echo up; sleep 60');
    for await (const _line of process.stdout) break;
    await session.close();
    expect((await process.exited).exitCode).not.toBe(0);
  });
});
