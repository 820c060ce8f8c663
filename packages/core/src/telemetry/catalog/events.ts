/** Every event (log record) with its attributes: the single source for types, filtering and tests. */
import type { AttributeValue } from '../record.js';

interface EventDefinition {
  attributes: readonly string[];
  /** Exported only with `telemetry.logPrompts`: texts of users, files or tools. */
  prompts?: readonly string[];
}

const CREDITS = ['model', 'credit_balance', 'overage_strategy', 'selected_option', 'source'] as const;

export const EVENTS = {
  'gemini_cli.config': {
    attributes: [
      'model',
      'embedding_model',
      'sandbox_enabled',
      'core_tools_enabled',
      'approval_mode',
      'api_key_enabled',
      'vertex_ai_enabled',
      'log_user_prompts_enabled',
      'file_filtering_respect_git_ignore',
      'debug_mode',
      'mcp_servers',
      'mcp_servers_count',
      'mcp_tools',
      'mcp_tools_count',
      'output_format',
      'extensions',
      'extension_ids',
      'extensions_count',
      'auth_type',
      'worktree_active',
      'github_workflow_name',
      'github_repository_hash',
      'github_event_name',
      'github_pr_number',
      'github_issue_number',
      'github_custom_tracking_id',
    ],
  },
  'gemini_cli.user_prompt': { attributes: ['prompt_length', 'prompt_id', 'auth_type'], prompts: ['prompt'] },
  'gemini_cli.tool_call': {
    attributes: [
      'function_name',
      'duration_ms',
      'success',
      'decision',
      'error',
      'error_type',
      'prompt_id',
      'tool_type',
      'mcp_server_name',
      'extension_name',
      'extension_id',
      'content_length',
      'start_time',
      'end_time',
      'metadata',
    ],
    prompts: ['function_args'],
  },
  'gemini_cli.tool_output_truncated': {
    attributes: [
      'tool_name',
      'original_content_length',
      'truncated_content_length',
      'threshold',
      'lines',
      'prompt_id',
    ],
  },
  'gemini_cli.tool_output_masking': {
    attributes: ['tokens_before', 'tokens_after', 'masked_count', 'total_prunable_tokens'],
  },
  'gemini_cli.edit_strategy': { attributes: ['strategy'] },
  'gemini_cli.edit_correction': { attributes: ['correction'] },
  'gemini_cli.file_operation': {
    attributes: ['tool_name', 'operation', 'lines', 'mimetype', 'extension', 'programming_language'],
  },
  'gemini_cli.api_request': { attributes: ['model', 'prompt_id', 'role'], prompts: ['request_text'] },
  'gemini_cli.api_response': {
    attributes: [
      'model',
      'status_code',
      'duration_ms',
      'input_token_count',
      'output_token_count',
      'cached_content_token_count',
      'thoughts_token_count',
      'tool_token_count',
      'total_token_count',
      'prompt_id',
      'auth_type',
      'finish_reasons',
      'role',
    ],
    prompts: ['response_text'],
  },
  'gemini_cli.api_error': {
    attributes: [
      'error.message',
      'model_name',
      'duration',
      'prompt_id',
      'auth_type',
      'error_type',
      'status_code',
      'role',
    ],
  },
  'gemini_cli.malformed_json_response': { attributes: ['model'] },
  'gen_ai.client.inference.operation.details': {
    attributes: [
      'gen_ai.request.model',
      'gen_ai.provider.name',
      'gen_ai.operation.name',
      'gen_ai.response.finish_reasons',
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.output_tokens',
      'gen_ai.request.temperature',
      'gen_ai.request.top_p',
      'gen_ai.request.top_k',
      'gen_ai.request.max_tokens',
      'server.address',
      'server.port',
    ],
    prompts: ['gen_ai.input.messages', 'gen_ai.output.messages', 'gen_ai.system_instructions'],
  },
  'gemini_cli.slash_command': { attributes: ['command', 'subcommand', 'status'] },
  'gemini_cli.slash_command.model': { attributes: ['model_name'] },
  'gemini_cli.model_routing': {
    attributes: [
      'decision_model',
      'decision_source',
      'routing_latency_ms',
      'reasoning',
      'failed',
      'error_message',
      'approval_mode',
      'enable_numerical_routing',
      'classifier_threshold',
    ],
  },
  'gemini_cli.chat_compression': { attributes: ['tokens_before', 'tokens_after'] },
  'gemini_cli.chat.invalid_chunk': { attributes: ['error.message'] },
  'gemini_cli.chat.content_retry': {
    attributes: ['attempt_number', 'error_type', 'retry_delay_ms', 'model'],
  },
  'gemini_cli.chat.content_retry_failure': {
    attributes: ['total_attempts', 'final_error_type', 'total_duration_ms', 'model'],
  },
  'gemini_cli.network_retry_attempt': {
    attributes: ['attempt', 'max_attempts', 'error_type', 'delay_ms', 'model'],
  },
  'gemini_cli.conversation_finished': { attributes: ['approvalMode', 'turnCount'] },
  'gemini_cli.next_speaker_check': { attributes: ['prompt_id', 'finish_reason', 'result'] },
  'gemini_cli.loop_detected': {
    attributes: ['loop_type', 'prompt_id', 'count', 'confirmed_by_model', 'analysis', 'confidence'],
  },
  'gemini_cli.loop_detection_disabled': { attributes: ['prompt_id'] },
  'gemini_cli.llm_loop_check': {
    attributes: ['prompt_id', 'flash_confidence', 'main_model', 'main_model_confidence'],
  },
  'gemini_cli.flash_fallback': { attributes: ['auth_type'] },
  'gemini_cli.ripgrep_fallback': { attributes: ['error'] },
  'gemini_cli.web_fetch_fallback_attempt': { attributes: ['reason'] },
  'gemini_cli.agent.start': { attributes: ['agent_id', 'agent_name'] },
  'gemini_cli.agent.finish': {
    attributes: ['agent_id', 'agent_name', 'duration_ms', 'turn_count', 'terminate_reason'],
  },
  'gemini_cli.agent.recovery_attempt': {
    attributes: ['agent_id', 'agent_name', 'reason', 'duration_ms', 'success', 'turn_count'],
  },
  'gemini_cli.plan.approval_mode_switch': { attributes: ['from_mode', 'to_mode'] },
  'gemini_cli.plan.approval_mode_duration': { attributes: ['mode', 'duration_ms'] },
  'gemini_cli.plan.execution': { attributes: ['approval_mode'] },
  'gemini_cli.hook_call': {
    attributes: ['hook_event_name', 'hook_type', 'hook_name', 'duration_ms', 'success', 'exit_code'],
    prompts: ['hook_input', 'hook_output', 'stdout', 'stderr'],
  },
  'gemini_cli.conseca.policy_generation': {
    attributes: ['policy', 'error'],
    prompts: ['user_prompt', 'trusted_content'],
  },
  'gemini_cli.conseca.verdict': {
    attributes: ['verdict', 'policy', 'tool_call', 'verdict_rationale', 'error'],
    prompts: ['user_prompt'],
  },
  'gemini_cli.ide_connection': { attributes: ['connection_type'] },
  'gemini_cli.rewind': { attributes: ['outcome'] },
  'gemini_cli.kitty_sequence_overflow': { attributes: ['sequence_length', 'truncated_sequence'] },
  'gemini_cli.keychain.availability': { attributes: ['available'] },
  'gemini_cli.token_storage.initialization': { attributes: ['type', 'forced'] },
  'gemini_cli.onboarding.start': { attributes: [] },
  'gemini_cli.onboarding.success': { attributes: ['user_tier', 'duration_ms'] },
  'gemini_cli.startup_stats': { attributes: ['phases', 'os_platform', 'os_release', 'is_docker'] },
  'gemini_cli.overage_menu_shown': { attributes: CREDITS },
  'gemini_cli.overage_option_selected': { attributes: CREDITS },
  'gemini_cli.empty_wallet_menu_shown': { attributes: CREDITS },
  'gemini_cli.credit_purchase_click': { attributes: CREDITS },
  'gemini_cli.credits_used': { attributes: CREDITS },
  'gemini_cli.api_key_updated': { attributes: CREDITS },
} as const satisfies Record<string, EventDefinition>;

type Events = typeof EVENTS;

export type EventName = keyof Events;

type AttributeName<D> =
  | (D extends { attributes: readonly (infer A extends string)[] } ? A : never)
  | (D extends { prompts: readonly (infer P extends string)[] } ? P : never);

export type EventAttributes<N extends EventName> = {
  readonly [A in AttributeName<Events[N]>]?: AttributeValue;
};

export function promptAttributes(name: EventName): readonly string[] {
  const definition: EventDefinition = EVENTS[name];
  return definition.prompts ?? [];
}
