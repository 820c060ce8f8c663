import { describe, expect, it } from 'vitest';
import { runTool, testRig } from '../test-utils.js';

const FILES = {
  'src/a.ts': 'alpha\nbeta needle here\ngamma\n',
  'src/b.ts': 'nothing\n',
  'docs/c.md': 'Needle in docs\nsecond needle\n',
  'node_modules/d.ts': 'needle\n',
  'out.log': 'needle\n',
};

describe.each([
  ['ripgrep', {}],
  ['the built-in searcher', { tools: { useRipgrep: false } }],
])('grep_search with %s', (_engine, settings) => {
  it('lists matches by file with line numbers', async () => {
    const rig = await testRig({ files: FILES, settings });
    const { answer } = await runTool(rig, 'grep_search', { pattern: 'needle', context: 0 }, 'default');
    expect(answer.output).toMatch(/^Found 3 matches for pattern "needle" in path "/);
    const [, ...blocks] = (answer.output ?? '').split(/\n---(?:\n|$)/).filter(Boolean);
    expect(blocks.sort()).toEqual([
      'File: docs/c.md\nL1: Needle in docs\nL2: second needle',
      'File: src/a.ts\nL2: beta needle here',
    ]);
  });

  it('shows the context of a single match by default', async () => {
    const rig = await testRig({ files: FILES, settings });
    const { answer } = await runTool(rig, 'grep_search', { pattern: 'beta', include_pattern: '*.ts' });
    expect(answer.output).toContain('L1- alpha\nL2: beta needle here\nL3- gamma');
    expect(answer.output).toContain('(filter: "*.ts")');
  });

  it('stops at 100 matches and says so', async () => {
    const rig = await testRig({ files: { 'many.txt': 'hit\n'.repeat(10_000) }, settings });
    const { answer } = await runTool(rig, 'grep_search', { pattern: 'hit' });
    expect(answer.output).toContain('results limited to 100 matches');
    expect(answer.output?.match(/^L\d+: hit$/gm)).toHaveLength(100);
  });

  it('takes names_only, fixed_strings, case_sensitive and older parameter names', async () => {
    const rig = await testRig({ files: { ...FILES, 'x.txt': 'a.b(c\nNEEDLE\n' }, settings });
    const { answer } = await runTool(rig, 'search_file_content', {
      pattern: 'a.b(c',
      fixed_strings: true,
      names_only: true,
      path: '.',
      include: '*.txt',
    });
    expect(answer.output).toMatch(/^Found 1 files? with matches.*\n(---\n)?x\.txt/s);
  });

  it('reports an invalid pattern', async () => {
    const rig = await testRig({ files: FILES, settings });
    const { answer, result } = await runTool(rig, 'grep_search', { pattern: '(unclosed' });
    expect(answer.error).toContain('(unclosed');
    expect(result).toMatchObject({ error: { type: 'invalid_tool_params' } });
  });

  it('says when nothing matches', async () => {
    const rig = await testRig({ files: FILES, settings });
    expect((await runTool(rig, 'grep_search', { pattern: 'zzzz' })).answer.output).toMatch(
      /^No matches found for pattern/,
    );
  });
});
