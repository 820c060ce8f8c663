import { describe, expect, it } from 'vitest';
import { callTool, runTool, runTools, testRig } from '../test-utils.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

describe('list_directory', () => {
  it('lists folders first, then files with sizes, and counts what is ignored', async () => {
    const rig = await testRig({
      files: { 'b.txt': '12345', 'a.txt': '', 'sub/x': '', 'skip.log': '', '.geminiignore': '*.log\n' },
    });
    const { answer, result } = await runTool(
      rig,
      'list_directory',
      { dir_path: '.', ignore: ['.gemini*'] },
      'default',
    );
    expect(answer.output).toBe(
      `Directory listing for ${rig.workspace}:\n[DIR] sub\na.txt (0 bytes)\nb.txt (5 bytes)\n\n(1 ignored)`,
    );
    expect(result['status']).toBe('success');
  });

  it.each([
    ['a file', 'a.txt', 'path_is_not_a_directory'],
    ['a missing folder', 'nowhere', 'ls_execution_error'],
  ])('%s is an error for the model', async (_what, dir_path, type) => {
    const rig = await testRig({ files: { 'a.txt': '' } });
    const { answer, result, run } = await runTool(rig, 'list_directory', { dir_path });
    expect(answer.error).toContain(dir_path);
    expect(result).toMatchObject({ status: 'error', error: { type } });
    expect(run.exitCode).toBe(0);
  });
});

describe('read_file', () => {
  it('gives the text as it is', async () => {
    const rig = await testRig({ files: { 'a.txt': 'one\ntwo\n' } });
    expect((await runTool(rig, 'read_file', { file_path: 'a.txt' }, 'default')).answer).toEqual({
      output: 'one\ntwo\n',
    });
  });

  it.each([
    ['start_line and end_line', { start_line: 2, end_line: 3 }],
    ['offset and limit', { offset: 1, limit: 2 }],
  ])('reads a range by %s', async (_what, range) => {
    const rig = await testRig({ files: { 'a.txt': 'one\ntwo\nthree\nfour\n' } });
    const { answer } = await runTool(rig, 'read_file', { file_path: 'a.txt', ...range });
    expect(answer.output).toMatch(/Status: Showing lines 2-3 of 4 total lines\.\n.*start_line.*4/s);
    expect(answer.output).toMatch(/--- FILE CONTENT \(truncated\) ---\ntwo\nthree\n?$/);
  });

  it('cuts after 2,000 lines and in long lines, and says how to read on', async () => {
    const lines = Array.from({ length: 2500 }, (_, index) => `row ${index + 1}`);
    lines[4] = 'x'.repeat(5000);
    const rig = await testRig({ files: { 'a.txt': lines.join('\n') } });
    const { answer } = await runTool(rig, 'read_file', { file_path: 'a.txt' });
    expect(answer.output).toContain('Status: Showing lines 1-2000 of 2500 total lines.');
    expect(answer.output).toContain(`\n${'x'.repeat(2000)}... [truncated]\n`);
    expect(answer.output).toMatch(/start_line.*2001/);
    expect(answer.output).not.toContain('row 2001');
  });

  it.each([
    [
      'UTF-16 with BOM',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße\n', 'utf16le')]),
      'Grüße\n',
    ],
    ['UTF-8 with BOM', Buffer.from('\ufeffplain\n'), 'plain\n'],
    ['Latin-1', Buffer.from('caf\xe9 au lait, d\xe9j\xe0 vu\n', 'latin1'), 'café au lait, déjà vu\n'],
  ])('decodes %s', async (_what, bytes, wanted) => {
    const rig = await testRig({ files: { 'a.txt': bytes } });
    expect((await runTool(rig, 'read_file', { file_path: 'a.txt' })).answer.output).toBe(wanted);
  });

  it('sends an image as data', async () => {
    const rig = await testRig({ files: { 'p.png': PNG } });
    await runTool(rig, 'read_file', { file_path: 'p.png' });
    const sent = JSON.stringify(rig.model.lastRequest().body.contents.at(-1));
    expect(sent).toContain(`"mimeType":"image/png","data":"${PNG.toString('base64')}"`);
  });

  it.each([
    ['a missing file', 'no.txt', 'file_not_found'],
    ['a folder', 'sub', 'target_is_directory'],
    ['21 MB', 'big.txt', 'file_too_large'],
  ])('%s is a clear error', async (_what, file_path, type) => {
    const rig = await testRig({ files: { 'sub/x': '' } });
    rig.writeSparse('big.txt', 21 * 2 ** 20);
    const { answer, result } = await runTool(rig, 'read_file', { file_path });
    expect(answer.error).toContain(file_path);
    expect(result).toMatchObject({ status: 'error', error: { type } });
  });

  it('refuses a binary file by name', async () => {
    const rig = await testRig({ files: { 'x.dat': Buffer.from([1, 0, 2, 0, 0, 0]) } });
    const { answer } = await runTool(rig, 'read_file', { file_path: 'x.dat' });
    expect(answer.output ?? answer.error).toContain('Cannot display content of binary file: x.dat');
  });

  it('refuses an ignored file', async () => {
    const rig = await testRig({ files: { '.geminiignore': 'secret.txt\n', 'secret.txt': 'hidden' } });
    const { answer } = await runTool(rig, 'read_file', { file_path: 'secret.txt' });
    expect(answer.error).toMatch(/ignore/i);
  });
});

describe('read_many_files', () => {
  it('is offered when listed in tools.core, reads in path order and skips what is excluded', async () => {
    const rig = await testRig({
      settings: { tools: { core: ['read_many_files'] } },
      files: {
        'b.md': 'B text',
        'a.md': 'A text',
        'deep/c.md': 'C text',
        'node_modules/d.md': 'D text',
        'deep/e.txt': 'E text',
      },
    });
    const { answer } = await runTool(
      rig,
      'read_many_files',
      { include: ['**/*.md'], exclude: ['b.md'] },
      'default',
    );
    const output = answer.output ?? '';
    expect(output).toMatch(/A text[\s\S]*C text[\s\S]*--- End of content ---/);
    expect(output).toContain(`--- ${rig.path('a.md')} ---`);
    for (const absent of ['B text', 'D text', 'E text']) expect(output).not.toContain(absent);
    expect(rig.model.requests[0]?.body.tools?.[0]?.functionDeclarations?.map(({ name }) => name)).toEqual([
      'read_many_files',
    ]);
  });
});

describe('glob', () => {
  it('finds files, hidden ones too, but not ignored ones', async () => {
    const rig = await testRig({
      files: {
        'a.ts': '',
        'sub/b.ts': '',
        '.hidden/c.ts': '',
        'node_modules/d.ts': '',
        'e.js': '',
        '.geminiignore': 'sub/\n',
      },
    });
    const { answer } = await runTool(rig, 'glob', { pattern: '**/*.ts' }, 'default');
    expect(answer.output).toMatch(
      /^Found 2 file\(s\) matching "\*\*\/\*\.ts" within .*\(1 additional files were ignored\).*:\n/,
    );
    expect(answer.output?.split('\n').slice(1).sort()).toEqual([rig.path('.hidden/c.ts'), rig.path('a.ts')]);
  });

  it('says when nothing matches', async () => {
    const rig = await testRig();
    expect((await runTool(rig, 'glob', { pattern: '*.zig' })).answer.output).toMatch(
      /^No files found matching pattern "\*\.zig" within/,
    );
  });
});

describe('write_todos', () => {
  it('stores the list and repeats it', async () => {
    const rig = await testRig();
    rig.model.replies(
      [
        callTool('write_todos', {
          todos: [
            { description: 'look', status: 'completed' },
            { description: 'leap', status: 'in_progress' },
          ],
        }),
      ],
      [{ do: 'parts', parts: [{ text: 'ok' }] }],
    );
    const run = await rig.cli('-p', 'x', '-m', 'gemini-2.5-flash');
    expect(run.exitCode, run.stderr).toBe(0);
    const [part] = rig.model.lastRequest().body.contents.at(-1)?.parts ?? [];
    expect(part?.functionResponse?.response).toEqual({
      output:
        'Successfully updated the todo list. The current list is now:\n1. [completed] look\n2. [in_progress] leap',
    });
  });
});

describe('get_internal_docs', () => {
  it('lists the bundled documentation, returns a page, and nothing else', async () => {
    const rig = await testRig({ settings: { tools: { core: ['get_internal_docs'] } } });
    const { answers } = await runTools(rig, [
      callTool('get_internal_docs', {}),
      callTool('get_internal_docs', { path: 'architecture.md' }),
      callTool('get_internal_docs', { path: '../package.json' }),
    ]);
    const [list, page, outside] = answers.map(({ response }) => response);
    expect(list?.output).toMatch(/^- architecture\.md$/m);
    expect(page?.output?.length).toBeGreaterThan(500);
    expect(outside?.error).toContain('../package.json');
  });
});

describe('Several calls in one turn', () => {
  it('are answered in their order, failures among them', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A', 'b.txt': 'B' } });
    const { answers } = await runTools(rig, [
      callTool('grep_search', { pattern: 'A' }, 'slow'),
      callTool('read_file', { file_path: 'no.txt' }, 'bad'),
      callTool('read_file', { file_path: 'b.txt' }, 'good'),
    ]);
    expect(answers.map(({ id, name }) => [id, name])).toEqual([
      ['slow', 'grep_search'],
      ['bad', 'read_file'],
      ['good', 'read_file'],
    ]);
    expect(answers[2]?.response).toEqual({ output: 'B' });
  });

  it('see earlier writes of the same turn, not later ones', async () => {
    const rig = await testRig({ files: { 'a.txt': 'old' } });
    const { answers } = await runTools(rig, [
      callTool('read_file', { file_path: 'a.txt' }),
      callTool('write_file', { file_path: 'a.txt', content: 'new' }),
      callTool('read_file', { file_path: 'a.txt' }),
    ]);
    expect([answers[0]?.response.output, answers[2]?.response.output]).toEqual(['old', 'new']);
  });

  it('run commands one after the other', async () => {
    const rig = await testRig();
    await runTools(rig, [
      callTool('run_shell_command', { command: 'sleep 0.3; echo first >> log' }),
      callTool('run_shell_command', { command: 'echo second >> log' }),
    ]);
    expect(rig.read('log')).toBe('first\nsecond\n');
  });

  it('accept wait_for_previous on any tool', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    const { answers } = await runTools(rig, [
      callTool('read_file', { file_path: 'a.txt', wait_for_previous: true }),
    ]);
    expect(answers[0]?.response).toEqual({ output: 'A' });
  });
});
