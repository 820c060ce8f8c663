/** Names of all tools that are ours, whether registered now or not: for hints about misspelt names. */

export const BUILTIN_TOOL_NAMES: ReadonlySet<string> = new Set(
  `list_directory read_file read_many_files write_file replace glob grep_search run_shell_command
  list_background_processes read_background_output send_process_input stop_process web_fetch google_web_search
  save_memory write_todos tracker_create_task tracker_update_task tracker_add_dependency tracker_get_task
  tracker_list_tasks tracker_visualize ask_user enter_plan_mode exit_plan_mode activate_skill get_internal_docs
  update_topic invoke_agent complete_task search_tools recall_turn read_mcp_resource list_mcp_resources
  codebase_investigator cli_help`.split(/\s+/),
);
