/** The tool calls the guide makes, in one place. */
import {
  GLOB,
  GREP_SEARCH,
  LIST_DIRECTORY,
  READ_FILE,
  REPLACE,
  RUN_SHELL_COMMAND,
  WRITE_FILE,
} from '../../protocol/tool-names.js';
import type { ToolCall } from './intent.js';

export function listDirectory(path: string, options: { includeIgnored?: boolean } = {}): ToolCall {
  const everything = { respect_git_ignore: false, respect_gemini_ignore: false };
  return {
    name: LIST_DIRECTORY,
    args: defined({
      dir_path: path,
      file_filtering_options: options.includeIgnored ? everything : undefined,
    }),
  };
}

export function readFile(path: string, range: { from?: number; to?: number } = {}): ToolCall {
  return { name: READ_FILE, args: defined({ file_path: path, start_line: range.from, end_line: range.to }) };
}

export function glob(pattern: string, under?: string): ToolCall {
  return { name: GLOB, args: defined({ pattern, dir_path: under }) };
}

export interface GrepOptions {
  under?: string;
  include?: string;
  regex?: boolean;
  caseSensitive?: boolean;
  before?: number;
  after?: number;
  /** The user named this file: ignore rules do not apply. */
  includeIgnored?: boolean;
  limit?: number;
}

/** Context is always set, because the tool adds its own otherwise. */
export function grep(pattern: string, options: GrepOptions = {}): ToolCall {
  return {
    name: GREP_SEARCH,
    args: defined({
      pattern,
      dir_path: options.under,
      include_pattern: options.include,
      fixed_strings: !options.regex,
      case_sensitive: options.caseSensitive ?? false,
      before: options.before ?? 0,
      after: options.after ?? 0,
      no_ignore: options.includeIgnored,
      total_max_matches: options.limit,
    }),
  };
}

export function writeFile(path: string, content: string): ToolCall {
  return { name: WRITE_FILE, args: { file_path: path, content } };
}

export interface Replacement {
  path: string;
  from: string;
  to: string;
  all: boolean;
}

export function replaceText({ path, from, to, all }: Replacement): ToolCall {
  const instruction = `Replace ${JSON.stringify(from)} with ${JSON.stringify(to)} in ${path}, as the user asked.`;
  return {
    name: REPLACE,
    args: defined({
      file_path: path,
      instruction,
      old_string: from,
      new_string: to,
      allow_multiple: all || undefined,
    }),
  };
}

export function runCommand(command: string, description?: string): ToolCall {
  return { name: RUN_SHELL_COMMAND, args: defined({ command, description }) };
}

function defined(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}
