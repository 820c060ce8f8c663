import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApprovalMode, type ConfigParameters, FatalInputError } from '@gemini-cli/core';
import { createTestConfig } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { runHeadlessCommand } from './headless.js';
import { testContext } from './testing/context.test-helper.js';

async function run(
  prompt: string,
  template?: string,
  parameters: Partial<ConfigParameters> = {},
  broken?: string,
) {
  const config = await createTestConfig(parameters);
  const folder = join(config.getTargetDir(), '.gemini/commands');
  mkdirSync(folder, { recursive: true });
  if (template) writeFileSync(join(folder, 't.toml'), `prompt = ${JSON.stringify(template)}`);
  if (broken) writeFileSync(join(folder, 'broken.toml'), broken);
  const warnings: string[] = [];
  const { settings } = testContext().services;
  const warn = (message: string) => void warnings.push(message);
  const { signal } = new AbortController();
  const result = runHeadlessCommand({ prompt, config, settings, signal, warn });
  return { result, warnings, config, root: config.getTargetDir() };
}

describe('a slash command in a headless run', { timeout: 60_000 }, () => {
  it("becomes a prompt that marks the user's words, when it comes from a file", async () => {
    const { result } = await run('/t now', 'Do it {{args}}: !{echo done}');
    expect(await result).toEqual({
      kind: 'prompt',
      parts: [{ text: 'Do it now: done' }],
      typed: 'Do it now: ',
    });
  });

  it.each(['/clear', '/quit', '/corgi'])(
    'prints nothing for %s, which only concerns the screen',
    async (line) => {
      const { result } = await run(line);
      expect(await result).toEqual({ kind: 'text', text: '' });
    },
  );

  it('ends with exit code 42 when a command would need approval', async () => {
    const { result, root } = await run('/t', '!{touch made}', { approvalMode: ApprovalMode.DEFAULT });
    await expect(result).rejects.toBeInstanceOf(FatalInputError);
    await expect(result).rejects.toMatchObject({
      exitCode: 42,
      message: expect.stringContaining('touch made'),
    });
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it('ends with exit code 42, the file and the line when its file is broken', async () => {
    const { result } = await run('/broken prod', undefined, {}, 'prompt = "a"\nprompt = ');
    await expect(result).rejects.toMatchObject({
      exitCode: 42,
      message: expect.stringMatching(/broken\.toml: line 2: /),
    });
  });

  it('switches to plan mode and sends the goal: /plan', async () => {
    const { result, config } = await run('/plan tidy up', undefined, { approvalMode: ApprovalMode.DEFAULT });
    expect(await result).toEqual({ kind: 'prompt', parts: 'tidy up', typed: undefined });
    expect(config.getApprovalMode()).toBe(ApprovalMode.PLAN);
  });

  it.each(['/theme', '/resume', '/vim', '/copy 7x', '/model set', '/auth signout'])(
    'ends %s with an input error or with what is missing',
    async (prompt) => {
      const { result } = await run(prompt);
      const settled = await result.then(
        (value) => value,
        (error: unknown) => error,
      );
      if (prompt === '/copy 7x') expect(settled).toMatchObject({ kind: 'text' });
      else expect(settled).toBeInstanceOf(FatalInputError);
    },
  );

  it.each([
    ['/stats', 'Session: '],
    ['/help', '/compress, /summarize, /compact'],
    ['/about', 'Model: offline'],
    ['/tools', 'read_file'],
    ['/memory list', 'No context files'],
    ['/policies', 'Every mode'],
  ])('prints the text of %s', async (prompt, expected) => {
    const { result } = await run(prompt);
    expect(await result).toEqual({ kind: 'text', text: expect.stringContaining(expected) });
  });

  it.each(['/usr/bin/x is broken', '// note', '/* note */', '/nope', 'hello', '/'])(
    'sends %j to the model',
    async (prompt) => {
      expect(await (await run(prompt)).result).toEqual({ kind: 'unknown' });
    },
  );
});
