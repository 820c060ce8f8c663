/** Canonical tool names and the older or other spellings that mean the same tool. */

export const LIST_DIRECTORY = 'list_directory';
export const READ_FILE = 'read_file';
export const READ_MANY_FILES = 'read_many_files';
export const WRITE_FILE = 'write_file';
export const REPLACE = 'replace';
export const GLOB = 'glob';
export const GREP_SEARCH = 'grep_search';
export const RUN_SHELL_COMMAND = 'run_shell_command';
export const LIST_BACKGROUND_PROCESSES = 'list_background_processes';
export const READ_BACKGROUND_OUTPUT = 'read_background_output';
export const SEND_PROCESS_INPUT = 'send_process_input';
export const STOP_PROCESS = 'stop_process';
export const WRITE_TODOS = 'write_todos';
export const SAVE_MEMORY = 'save_memory';
export const RECALL_TURN = 'recall_turn';
export const GET_INTERNAL_DOCS = 'get_internal_docs';
export const WEB_FETCH = 'web_fetch';
export const GOOGLE_WEB_SEARCH = 'google_web_search';
export const SEARCH_TOOLS = 'search_tools';
export const ASK_USER = 'ask_user';
export const ENTER_PLAN_MODE = 'enter_plan_mode';
export const EXIT_PLAN_MODE = 'exit_plan_mode';

const ALIASES: Record<string, string> = {
  search_file_content: GREP_SEARCH,
  grep_search_ripgrep: GREP_SEARCH,
  shell_execute: RUN_SHELL_COMMAND,
  shell_exec: RUN_SHELL_COMMAND,
  web_search: GOOGLE_WEB_SEARCH,
};

/** The name a tool is registered under, for any spelling a model, policy or setting may use. */
export function canonicalToolName(name: string): string {
  return ALIASES[name] ?? name;
}
