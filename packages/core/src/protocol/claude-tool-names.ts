/** Names of Claude Code's tools and of ours, for hooks, agents and plugins written for Claude Code. */

/** Undefined: the tool is known and has no equivalent here. */
export const CLAUDE_TOOL_NAMES: Readonly<Record<string, string | undefined>> = {
  Bash: 'run_shell_command',
  Read: 'read_file',
  NotebookRead: 'read_file',
  Write: 'write_file',
  Edit: 'replace',
  MultiEdit: 'replace',
  Glob: 'glob',
  Grep: 'grep_search',
  LS: 'list_directory',
  List: 'list_directory',
  Task: 'invoke_agent',
  Agent: 'invoke_agent',
  WebFetch: 'web_fetch',
  WebSearch: 'google_web_search',
  TodoWrite: 'write_todos',
  Skill: 'activate_skill',
  AskUserQuestion: 'ask_user',
  EnterPlanMode: 'enter_plan_mode',
  ExitPlanMode: 'exit_plan_mode',
  ListMcpResourcesTool: 'list_mcp_resources',
  ReadMcpResourceTool: 'read_mcp_resource',
  '*': '*',
  NotebookEdit: undefined,
  BashOutput: undefined,
  KillShell: undefined,
  KillBash: undefined,
  TodoRead: undefined,
  SlashCommand: undefined,
  LSP: undefined,
  ToolSearch: undefined,
  TaskCreate: undefined,
  TaskGet: undefined,
  TaskList: undefined,
  TaskUpdate: undefined,
  TaskOutput: undefined,
  TaskStop: undefined,
  SendMessage: undefined,
  TeamCreate: undefined,
  TeamDelete: undefined,
  Workflow: undefined,
};

/** @returns undefined for a tool that Claude Code does not have, or that has no equivalent here */
export function geminiToolName(name: string): string | undefined {
  if (Object.hasOwn(CLAUDE_TOOL_NAMES, name)) return CLAUDE_TOOL_NAMES[name];
  const [, server, tool] = /^mcp__(.+?)(?:__(.*))?$/.exec(name) ?? [];
  if (server === '*' && !tool) return 'mcp_*';
  return server === undefined ? undefined : `mcp_${server}_${tool || '*'}`;
}
