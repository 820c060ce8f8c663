/**
 * Tool names that other layers use, and older spellings. A tool that only its own folder and the catalog know is
 * not listed: its class holds the name.
 */

export const LIST_DIRECTORY = 'list_directory';
export const READ_FILE = 'read_file';
export const READ_MANY_FILES = 'read_many_files';
export const WRITE_FILE = 'write_file';
export const REPLACE = 'replace';
export const GLOB = 'glob';
export const GREP_SEARCH = 'grep_search';
export const RUN_SHELL_COMMAND = 'run_shell_command';
export const SEND_PROCESS_INPUT = 'send_process_input';
export const WRITE_TODOS = 'write_todos';
export const GOOGLE_WEB_SEARCH = 'google_web_search';
export const SEARCH_TOOLS = 'search_tools';
export const ASK_USER = 'ask_user';
export const EXIT_PLAN_MODE = 'exit_plan_mode';
export const INVOKE_AGENT = 'invoke_agent';
export const COMPLETE_TASK = 'complete_task';
export const UPDATE_TOPIC = 'update_topic';
export const ACTIVATE_SKILL = 'activate_skill';

const ALIASES: Record<string, string> = {
  search_file_content: GREP_SEARCH,
  grep_search_ripgrep: GREP_SEARCH,
  shell_execute: RUN_SHELL_COMMAND,
  shell_exec: RUN_SHELL_COMMAND,
  web_search: GOOGLE_WEB_SEARCH,
};

/** The registered name for any spelling that a model, policy or setting may use. */
export function canonicalToolName(name: string): string {
  return ALIASES[name] ?? name;
}

const OLDER_NAMES = new RegExp(`\\b(?:${Object.keys(ALIASES).join('|')})\\b`, 'g');

/** Replaces older tool names, as whole words, by the registered ones: for expressions that match tool names. */
export function withCanonicalToolNames(text: string): string {
  return text.replace(OLDER_NAMES, canonicalToolName);
}
