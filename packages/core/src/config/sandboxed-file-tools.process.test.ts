/** With `security.toolSandboxing` the kernel enforces what file tools write and what searches read. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { ToolResult } from '../tools/tools.js';
import type { Config } from './config.js';
import {
  hasPlaceholders,
  outsideFolder,
  requireBubblewrap,
  sandboxedConfig,
} from './sandboxed-config.test-helper.js';

vi.setConfig({ testTimeout: 30_000 });
beforeAll(requireBubblewrap);

function call(config: Config, name: string, params: object): Promise<ToolResult> {
  const tool = config.getToolRegistry().getTool(name);
  if (!tool) throw new Error(`${name} is not registered.`);
  return tool.build(params).execute(new AbortController().signal);
}
const inProject = (config: Config, path: string) => join(config.getTargetDir(), path);
const read = (config: Config, path: string) => readFileSync(inProject(config, path), 'utf8');

describe('file tools with the tool sandbox', () => {
  it('create and change files of the project, and keep their modes and links', async () => {
    const config = await sandboxedConfig();
    const created = await call(config, 'write_file', { file_path: 'new/sub/a.txt', content: 'one ü\n' });
    expect(created.error).toBeUndefined();
    writeFileSync(inProject(config, 'run.sh'), 'echo one\n');
    chmodSync(inProject(config, 'run.sh'), 0o755);
    symlinkSync('run.sh', inProject(config, 'link'));
    const edit = { file_path: 'link', old_string: 'one', new_string: 'two', instruction: 'change it' };
    expect((await call(config, 'replace', edit)).error).toBeUndefined();
    expect(read(config, 'new/sub/a.txt')).toBe('one ü\n');
    expect(read(config, 'run.sh')).toBe('echo two\n');
    expect(statSync(inProject(config, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(hasPlaceholders(config)).toBe(false);
  });

  it('cannot write what sandboxed commands cannot write', async () => {
    const config = await sandboxedConfig();
    const included = outsideFolder();
    config.getWorkspaceContext().addDirectory(included);
    mkdirSync(inProject(config, '.git/hooks'), { recursive: true });
    writeFileSync(inProject(config, '.env'), 'KEY=1\n');
    const targets = ['.gemini/settings.json', '.git/hooks/pre-commit', '.env', join(included, 'a.txt')];
    for (const file_path of targets) {
      const { error } = await call(config, 'write_file', { file_path, content: 'planted' });
      expect(error?.message, file_path).toMatch(/sandbox/);
    }
    expect(existsSync(inProject(config, '.gemini'))).toBe(false);
    expect(existsSync(inProject(config, '.git/hooks/pre-commit'))).toBe(false);
    expect(read(config, '.env')).toBe('KEY=1\n');
    expect(existsSync(join(included, 'a.txt'))).toBe(false);
  });

  it('write what tools.sandboxAllowedPaths names', async () => {
    const allowed = outsideFolder();
    const config = await sandboxedConfig({ sandboxAllowedPaths: [allowed] });
    config.getWorkspaceContext().addDirectory(allowed);
    await call(config, 'write_file', { file_path: join(allowed, 'a.txt'), content: 'x' });
    expect(readFileSync(join(allowed, 'a.txt'), 'utf8')).toBe('x');
  });

  it('do not overwrite a file that changed meanwhile', async () => {
    const config = await sandboxedConfig();
    const path = inProject(config, 'a.txt');
    writeFileSync(path, 'old');
    const files = config.getFileSystemService();
    const { version } = await files.readTextFile(path);
    writeFileSync(path, 'changed by another program');
    const write = files.writeTextFile(path, 'new', undefined, { expect: version ?? 'absent' });
    await expect(write).rejects.toMatchObject({ problem: 'changed' });
    await expect(files.writeTextFile(path, 'new', undefined, { expect: 'absent' })).rejects.toMatchObject({
      problem: 'changed',
    });
    const refuse = { authorize: () => 'not here' };
    await expect(files.writeTextFile(path, 'new', undefined, refuse)).rejects.toMatchObject({
      problem: 'refused',
      message: 'not here',
    });
    expect(readFileSync(path, 'utf8')).toBe('changed by another program');
  });

  it('write only the plan in plan mode, and the memory file', async () => {
    const config = await sandboxedConfig({ approvalMode: ApprovalMode.PLAN });
    expect((await call(config, 'write_file', { file_path: 'a.txt', content: 'x' })).error?.message).toMatch(
      /sandbox/,
    );
    const plan = join(config.getPlansDirectory() ?? '', 'plan.md');
    await config.getFileSystemService().writeTextFile(plan, '# Plan\n');
    expect(readFileSync(plan, 'utf8')).toBe('# Plan\n');
    const memory = join(config.storage.getGlobalGeminiDir(), 'GEMINI.md');
    await config.getFileSystemService().writeTextFile(memory, '- a fact\n');
    expect(readFileSync(memory, 'utf8')).toBe('- a fact\n');
  });
});

describe('searches with the tool sandbox', () => {
  it('find matches, but nothing that the sandbox hides', async () => {
    const config = await sandboxedConfig();
    writeFileSync(inProject(config, 'a.txt'), 'needle here\n');
    writeFileSync(inProject(config, '.env'), 'needle=secret\n');
    const found = await call(config, 'grep_search', { pattern: 'needle', no_ignore: true });
    expect(String(found.llmContent)).toContain('needle here');
    expect(String(found.llmContent)).not.toContain('secret');
    expect(hasPlaceholders(config)).toBe(false);
  });
});

it('without a working sandbox neither writes nor searches run', async () => {
  const bin = outsideFolder();
  writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\nwhile test "$1" != --; do shift; done; shift; exec "$@"\n');
  chmodSync(join(bin, 'bwrap'), 0o755);
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
  try {
    const config = await sandboxedConfig();
    writeFileSync(inProject(config, 'a.txt'), 'needle\n');
    const written = await call(config, 'write_file', { file_path: 'b.txt', content: 'x' });
    expect(written.error?.message).toContain('security.toolSandboxing');
    expect(existsSync(inProject(config, 'b.txt'))).toBe(false);
    const found = await call(config, 'grep_search', { pattern: 'needle' });
    expect(found.error?.message).toContain('security.toolSandboxing');
  } finally {
    vi.unstubAllEnvs();
  }
});
