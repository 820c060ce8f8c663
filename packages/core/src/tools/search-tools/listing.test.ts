import { describe, expect, it } from 'vitest';
import { GeneratedTool, serverTools } from './generated-tools.test-helper.js';
import { LISTING_BYTES, listDeferred } from './listing.js';

describe('the listing of deferred tools', () => {
  it('groups names by heading and writes their common prefix once', () => {
    const tools = [
      new GeneratedTool('mcp_github_create_issue', 'github'),
      new GeneratedTool('mcp_github_list_issues', 'github'),
      new GeneratedTool('mcp_clock_now', 'clock'),
      new GeneratedTool('visualize', 'rarely used'),
      new GeneratedTool('deploy', 'rarely used'),
    ];
    expect(listDeferred(tools)).toBe(
      [
        '- github (mcp_github_…): create_issue, list_issues',
        '- clock: mcp_clock_now',
        '- rarely used: visualize, deploy',
      ].join('\n'),
    );
  });

  it('names each of 150 tools', () => {
    const text = listDeferred(serverTools(150));
    for (let index = 0; index < 150; index++) expect(text).toMatch(new RegExp(`\\b${index}\\b`));
  });

  it.each([
    ['thousands of tools', serverTools(5000)],
    [
      'hundreds of servers',
      serverTools(
        2000,
        Array.from({ length: 500 }, (_, index) => `server${index}`),
      ),
    ],
    [
      'long headings',
      serverTools(
        300,
        Array.from({ length: 300 }, (_, index) => `${'ä'.repeat(300)}${index}`),
      ),
    ],
  ])('stays within its bytes with %s and counts the rest', (_what, tools) => {
    const text = listDeferred(tools);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LISTING_BYTES);
    expect(text).toMatch(/… \d+ more/);
  });

  it('gives a small group its place beside a huge one', () => {
    const tools = [...serverTools(3000, ['big']), new GeneratedTool('mcp_small_only_one', 'small')];
    expect(listDeferred(tools)).toContain('- small: mcp_small_only_one');
  });
});
