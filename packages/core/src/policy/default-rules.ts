/**
 * The built-in policy as data: what `policies/*.toml` say, so that no run pays for parsing them. A test holds
 * both to each other: change both.
 */
import type { ApprovalMode, PolicyDecision } from '../protocol/confirmation.js';
import { type CheckerSpec, type PolicyRule, priorityOf } from './rule.js';

/** The part of the file format that the built-in files use. */
interface DefaultTable {
  toolName?: string | string[];
  mcpName?: string;
  toolAnnotations?: Record<string, unknown>;
  decision: string;
  priority: number;
  modes?: string[];
  interactive?: boolean;
  allowRedirection?: boolean;
  denyMessage?: string;
  name?: string;
  safety_checker?: { type: string; name: string };
}

/** By file name. */
export const DEFAULT_POLICY_TABLES: Readonly<Record<string, readonly DefaultTable[]>> = {
  'read-only': [
    {
      toolName: [
        'glob',
        'grep_search',
        'list_directory',
        'read_file',
        'read_many_files',
        'google_web_search',
        'get_internal_docs',
        'list_mcp_resources',
        'read_mcp_resource',
        'update_topic',
        'complete_task',
        'tracker_create_task',
        'tracker_update_task',
        'tracker_add_dependency',
        'tracker_get_task',
        'tracker_list_tasks',
        'tracker_visualize',
        'write_todos',
        'list_background_processes',
        'read_background_output',
        'stop_process',
        'search_tools',
        'recall_turn',
      ],
      decision: 'allow',
      priority: 50,
    },
  ],
  default: [
    {
      toolName: [
        'write_file',
        'replace',
        'run_shell_command',
        'send_process_input',
        'web_fetch',
        'activate_skill',
        'save_memory',
      ],
      decision: 'ask_user',
      priority: 10,
    },
    {
      mcpName: '*',
      decision: 'ask_user',
      priority: 10,
    },
    {
      toolName: 'discovered_tool_*',
      decision: 'ask_user',
      priority: 10,
    },
    {
      toolName: 'invoke_agent',
      decision: 'allow',
      priority: 30,
      modes: ['default', 'autoEdit'],
    },
    {
      toolName: 'invoke_agent',
      toolAnnotations: {
        remote: true,
      },
      decision: 'ask_user',
      priority: 31,
      modes: ['default', 'autoEdit'],
    },
    {
      toolName: 'ask_user',
      decision: 'ask_user',
      priority: 999,
    },
  ],
  'auto-edit': [
    {
      toolName: ['write_file', 'replace'],
      decision: 'allow',
      priority: 15,
      modes: ['autoEdit'],
      safety_checker: {
        type: 'in-process',
        name: 'allowed-path',
      },
    },
    {
      toolName: 'web_fetch',
      decision: 'allow',
      priority: 15,
      modes: ['autoEdit'],
    },
  ],
  yolo: [
    {
      toolName: '*',
      decision: 'allow',
      priority: 998,
      modes: ['yolo'],
      allowRedirection: true,
    },
  ],
  plan: [
    {
      toolName: '*',
      decision: 'deny',
      priority: 40,
      modes: ['plan'],
      denyMessage: 'In plan mode you may read and plan only. Finish the plan and leave plan mode first.',
    },
    {
      toolName: ['web_fetch', 'activate_skill'],
      decision: 'ask_user',
      priority: 45,
      modes: ['plan'],
    },
    {
      mcpName: '*',
      toolAnnotations: {
        readOnlyHint: true,
      },
      decision: 'ask_user',
      priority: 45,
      modes: ['plan'],
    },
    {
      toolName: ['codebase_investigator', 'cli_help'],
      decision: 'allow',
      priority: 45,
      modes: ['plan'],
    },
    {
      toolName: ['write_file', 'replace'],
      decision: 'deny',
      priority: 65,
      modes: ['plan'],
      denyMessage: 'In plan mode you may write Markdown files (.md) in the plans directory only.',
    },
    {
      name: 'plan-files',
      toolName: ['write_file', 'replace'],
      decision: 'allow',
      priority: 70,
      modes: ['plan'],
      safety_checker: {
        type: 'in-process',
        name: 'plan-file',
      },
    },
  ],
  transitions: [
    {
      toolName: 'enter_plan_mode',
      decision: 'ask_user',
      priority: 70,
      modes: ['default', 'autoEdit'],
      interactive: true,
    },
    {
      toolName: 'enter_plan_mode',
      decision: 'deny',
      priority: 999,
      modes: ['yolo'],
      interactive: true,
      denyMessage: 'In yolo mode nobody wants to be asked: go on without a plan.',
    },
    {
      toolName: 'enter_plan_mode',
      decision: 'deny',
      priority: 70,
      modes: ['plan'],
      interactive: true,
      denyMessage: 'You are in plan mode already.',
    },
    {
      toolName: 'exit_plan_mode',
      decision: 'deny',
      priority: 999,
      modes: ['default', 'autoEdit', 'yolo'],
      interactive: true,
      denyMessage: 'You are not in plan mode.',
    },
    {
      toolName: 'exit_plan_mode',
      decision: 'ask_user',
      priority: 70,
      modes: ['plan'],
      interactive: true,
    },
    {
      toolName: ['enter_plan_mode', 'exit_plan_mode'],
      decision: 'allow',
      priority: 999,
      interactive: false,
    },
  ],
};

/** What the loader would make of the files, without the loader: this is part of every start. */
export function defaultRules(): PolicyRule[] {
  return Object.entries(DEFAULT_POLICY_TABLES).flatMap(([file, tables]) =>
    tables.map((table) => ruleOf(table, `built-in: ${file}.toml`)),
  );
}

function ruleOf(
  { toolName, decision, priority, modes, safety_checker, ...rest }: DefaultTable,
  source: string,
): PolicyRule {
  const checker = safety_checker as CheckerSpec | undefined;
  return {
    ...rest,
    toolNames: typeof toolName === 'string' ? [toolName] : toolName,
    decision: decision as PolicyDecision,
    tier: 'default',
    priority: priorityOf('default', priority),
    modes: modes as ApprovalMode[] | undefined,
    source,
    checkers: checker && [{ toolNames: ['*'], priority: 0, source, checker }],
  };
}
