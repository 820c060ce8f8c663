import { describe, expect, it } from 'vitest';
import { GeneratedTool } from './generated-tools.test-helper.js';
import { rankTools } from './rank.js';

const tools = [
  new GeneratedTool('mcp_github_create_issue', 'github', 'Opens a new issue in a repository.'),
  new GeneratedTool(
    'mcp_github_list_pull_requests',
    'github',
    'Pull requests of a repository, newest first.',
  ),
  new GeneratedTool('mcp_jira_createTicket', 'jira', 'Opens a new issue on a board.'),
  new GeneratedTool('mcp_mail_send', 'mail', 'Sends a letter to somebody.'),
  new GeneratedTool('mcp_mail_archive', 'mail', 'Puts a letter away.'),
];
const names = (query: string) => rankTools(query, tools).map(({ name }) => name);

describe('ranking of tools', () => {
  it.each([
    ['create a github issue', 'mcp_github_create_issue'],
    ['list the pull request', 'mcp_github_list_pull_requests'],
    ['ticket', 'mcp_jira_createTicket'],
    ['send mail', 'mcp_mail_send'],
    ['letters archive', 'mcp_mail_archive'],
    ['repo pulls', 'mcp_github_list_pull_requests'],
  ])('%j finds %s first', (query, expected) => {
    expect(names(query)[0]).toBe(expected);
  });

  it('uses only the first words of an endless query', () => {
    const filler = Array.from({ length: 50_000 }, (_, index) => `filler${index}`).join(' ');
    expect(names(`send mail ${filler} ticket`)).toEqual(names('send mail'));
  });

  it('puts tools named in full first', () => {
    expect(names('mcp_mail_archive, mcp_jira_createTicket').slice(0, 2).sort()).toEqual([
      'mcp_jira_createTicket',
      'mcp_mail_archive',
    ]);
  });

  it('finds nothing for words that occur nowhere, or for fillers alone', () => {
    expect(names('weather forecast')).toEqual([]);
    expect(names('use the tool to')).toEqual([]);
    expect(names('…')).toEqual([]);
  });

  it('does not depend on the order of the tools', () => {
    const reversed = rankTools('letter', [...tools].reverse()).map(({ name }) => name);
    expect(reversed).toEqual(names('letter'));
    expect(reversed).toEqual(['mcp_mail_archive', 'mcp_mail_send']);
  });
});
