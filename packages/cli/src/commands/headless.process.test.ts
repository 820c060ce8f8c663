import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApprovalMode, type ConfigParameters, FatalInputError } from '@gemini-cli/core';
import { createTestConfig } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { runHeadlessCommand } from './headless.js';
import { testContext } from './testing/context.js';

async function run(prompt: string, template?: string, parameters: Partial<ConfigParameters> = {}) {
  const config = await createTestConfig(parameters);
  const folder = join(config.getTargetDir(), '.gemini/commands');
  mkdirSync(folder, { recursive: true });
  if (template) writeFileSync(join(folder, 't.toml'), `prompt = ${JSON.stringify(template)}`);
  const warnings: string[] = [];
  const { settings } = testContext().services;
  const warn = (message: string) => void warnings.push(message);
  const { signal } = new AbortController();
  const result = runHeadlessCommand({ prompt, config, settings, signal, warn });
  return { result, warnings, root: config.getTargetDir() };
}

describe('a slash command without a screen', { timeout: 60_000 }, () => {
  it("of a file becomes a prompt that says which words are the user's, not output of a command", async () => {
    const { result } = await run('/t now', 'Do it {{args}}: !{echo done}');
    expect(await result).toEqual({
      kind: 'prompt',
      parts: [{ text: 'Do it now: done' }],
      typed: 'Do it now: ',
    });
  });

  it('ends with exit code 42 when a command would need approval', async () => {
    const { result, root } = await run('/t', '!{touch made}', { approvalMode: ApprovalMode.DEFAULT });
    await expect(result).rejects.toBeInstanceOf(FatalInputError);
    await expect(result).rejects.toMatchObject({
      exitCode: 42,
      message: expect.stringContaining('touch made'),
    });
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it.each(['/theme', '/resume', '/vim', '/copy 7x', '/model set', '/auth signout'])(
    '%s is an input error, or says what is missing',
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
    ['/policies', 'Rules of every mode'],
  ])('%s prints its text', async (prompt, expected) => {
    const { result } = await run(prompt);
    expect(await result).toEqual({ kind: 'text', text: expect.stringContaining(expected) });
  });

  it.each(['/usr/bin/x is broken', '// note', '/* note */', '/nope', 'hello', '/'])(
    '%j goes to the model',
    async (prompt) => {
      expect(await (await run(prompt)).result).toEqual({ kind: 'unknown' });
    },
  );
});
