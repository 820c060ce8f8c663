import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MemoryContextManager } from '../../memory/context-files.js';
import { PolicyDecision, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import { MemoryTool, type SaveMemoryParams } from './save-memory.js';

const signal = new AbortController().signal;

function lab({ trusted = true } = {}) {
  const dir = tempDir('save-memory-');
  onTestFinished(() => dir.cleanup());
  const [globalDir, project] = [join(dir.path, '.gemini'), join(dir.path, 'project')];
  mkdirSync(project);
  const memory = new MemoryContextManager({
    settings: () => ({ maxDirs: 1, boundaryMarkers: [] }),
    home: dir.path,
    globalDir,
    privateDir: join(globalDir, 'private'),
    directories: () => [project],
    isTrusted: () => trusted,
    mask: (text) => text,
    notice: () => undefined,
  });
  const host = { ...makeHost(project), getMemory: () => memory };
  const tool = (decision = PolicyDecision.ALLOW) => new MemoryTool(host, makeBus(decision));
  const save = (params: SaveMemoryParams) => tool().build(params).execute({ abortSignal: signal });
  return { root: dir.path, globalDir, project, tool, save, globalFile: join(globalDir, 'GEMINI.md') };
}

describe('save_memory', () => {
  it('creates the file and its heading, and says so', async () => {
    const { save, globalFile } = lab();
    const { llmContent, error } = await save({ fact: '- I like\ntabs' });
    expect(error).toBeUndefined();
    expect(JSON.parse(String(llmContent))).toEqual({
      success: true,
      message: `Saved in ${globalFile}: I like tabs`,
    });
    await save({ fact: 'second' });
    expect(readFileSync(globalFile, 'utf8')).toBe('## Gemini Added Memories\n- I like tabs\n- second\n');
  });

  it('writes a fact once', async () => {
    const { save, globalFile } = lab();
    await save({ fact: 'same' });
    expect(String((await save({ fact: 'same' })).llmContent)).toContain('already');
    expect(readFileSync(globalFile, 'utf8')).toBe('## Gemini Added Memories\n- same\n');
  });

  it('writes to the file of the project that is read', async () => {
    const { save, project } = lab();
    writeFileSync(join(project, 'AGENTS.md'), '# Rules\r\n');
    await save({ fact: 'use npm', scope: 'project' });
    expect(readFileSync(join(project, 'AGENTS.md'), 'utf8')).toBe(
      '# Rules\r\n\r\n## Gemini Added Memories\r\n- use npm\r\n',
    );
    expect(existsSync(join(project, 'GEMINI.md'))).toBe(false);
  });

  it('loses no fact when many are saved at the same time', async () => {
    const { save, globalFile } = lab();
    const facts = Array.from({ length: 10 }, (_, index) => `fact ${index}`);
    const results = await Promise.all(facts.map((fact) => save({ fact })));
    expect(results.filter(({ error }) => error)).toEqual([]);
    const lines = readFileSync(globalFile, 'utf8').trim().split('\n').slice(1);
    expect(lines.toSorted()).toEqual(facts.map((fact) => `- ${fact}`));
  });

  it('shows the change as a diff', async () => {
    const { tool, globalFile, globalDir } = lab();
    mkdirSync(globalDir);
    writeFileSync(globalFile, '# Mine\n');
    const details = await tool(PolicyDecision.ASK_USER).build({ fact: 'tabs' }).shouldConfirmExecute(signal);
    expect(details).toMatchObject({
      type: 'edit',
      filePath: globalFile,
      originalContent: '# Mine\n',
      newContent: '# Mine\n\n## Gemini Added Memories\n- tabs\n',
      fileDiff: expect.stringContaining('+- tabs'),
    });
  });

  it('writes the file as the user edited it, unless it changed meanwhile', async () => {
    const { tool, globalFile } = lab();
    const mine = tool(PolicyDecision.ASK_USER).build({ fact: 'x', modified_content: 'mine\n' });
    const details = await mine.shouldConfirmExecute(signal);
    if (details) await details.onConfirm(ToolConfirmationOutcome.ProceedOnce);
    await mine.execute({ abortSignal: signal });
    expect(readFileSync(globalFile, 'utf8')).toBe('mine\n');
    const late = tool(PolicyDecision.ASK_USER).build({ fact: 'x', modified_content: 'again\n' });
    await late.shouldConfirmExecute(signal);
    writeFileSync(globalFile, 'by someone else\n');
    const { error } = await late.execute({ abortSignal: signal });
    expect(error?.type).toBe('memory_tool_execution_error');
    expect(readFileSync(globalFile, 'utf8')).toBe('by someone else\n');
  });

  it.each<'global' | 'project'>(['global', 'project'])('never writes through a link: %s', async (scope) => {
    const { save, root, globalDir, project } = lab();
    const target = join(root, 'target.md');
    writeFileSync(target, 'kept');
    mkdirSync(globalDir);
    symlinkSync(target, join(scope === 'global' ? globalDir : project, 'GEMINI.md'));
    const { error, llmContent } = await save({ fact: 'x', scope });
    expect(error).toMatchObject({ type: 'memory_tool_execution_error' });
    expect(JSON.parse(String(llmContent))).toEqual({ success: false, error: error?.message });
    expect(error?.message).toContain('is a link to');
    expect(readFileSync(target, 'utf8')).toBe('kept');
  });

  it('fails when the path is a folder or not a text file', async () => {
    const { save, globalFile, project } = lab();
    mkdirSync(globalFile, { recursive: true });
    expect((await save({ fact: 'x' })).error?.type).toBe('memory_tool_execution_error');
    writeFileSync(join(project, 'GEMINI.md'), Buffer.from([0, 1, 2]));
    expect((await save({ fact: 'x', scope: 'project' })).error?.message).toContain('Binary file');
    expect((await lab().save({ fact: '\u0007' })).error?.message).toContain('nothing to remember');
  });

  it('refuses facts that it cannot save', () => {
    expect(() => lab().tool().build({ fact: ' ' })).toThrow('params.fact must be non-empty');
    expect(() =>
      lab()
        .tool()
        .build({ fact: 'x', scope: 'all' as 'global' }),
    ).toThrow('must be one of');
    expect(() => lab({ trusted: false }).tool().build({ fact: 'x', scope: 'project' })).toThrow(
      'not trusted',
    );
  });
});
