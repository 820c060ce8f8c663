/** The documented names, one per line with its attributes; † marks attributes exported only with `logPrompts`. */

export const DOCUMENTED_EVENTS = parse(`
  gemini_cli.config: model embedding_model sandbox_enabled core_tools_enabled approval_mode api_key_enabled vertex_ai_enabled log_user_prompts_enabled file_filtering_respect_git_ignore debug_mode mcp_servers mcp_servers_count mcp_tools mcp_tools_count output_format extensions extension_ids extensions_count auth_type worktree_active github_workflow_name github_repository_hash github_event_name github_pr_number github_issue_number github_custom_tracking_id
  gemini_cli.user_prompt: prompt_length prompt_id prompt† auth_type
  gemini_cli.tool_call: function_name function_args† duration_ms success decision error error_type prompt_id tool_type mcp_server_name extension_name extension_id content_length start_time end_time metadata
  gemini_cli.tool_output_truncated: tool_name original_content_length truncated_content_length threshold lines prompt_id
  gemini_cli.tool_output_masking: tokens_before tokens_after masked_count total_prunable_tokens
  gemini_cli.edit_strategy: strategy
  gemini_cli.edit_correction: correction
  gemini_cli.file_operation: tool_name operation lines mimetype extension programming_language
  gemini_cli.api_request: model prompt_id role request_text†
  gemini_cli.api_response: model status_code duration_ms input_token_count output_token_count cached_content_token_count thoughts_token_count tool_token_count total_token_count prompt_id auth_type finish_reasons response_text† role
  gemini_cli.api_error: error.message model_name duration prompt_id auth_type error_type status_code role
  gemini_cli.malformed_json_response: model
  gen_ai.client.inference.operation.details: gen_ai.request.model gen_ai.provider.name gen_ai.operation.name gen_ai.input.messages† gen_ai.output.messages† gen_ai.response.finish_reasons gen_ai.usage.input_tokens gen_ai.usage.output_tokens gen_ai.request.temperature gen_ai.request.top_p gen_ai.request.top_k gen_ai.request.max_tokens gen_ai.system_instructions† server.address server.port
  gemini_cli.slash_command: command subcommand status
  gemini_cli.slash_command.model: model_name
  gemini_cli.model_routing: decision_model decision_source routing_latency_ms reasoning failed error_message approval_mode enable_numerical_routing classifier_threshold
  gemini_cli.chat_compression: tokens_before tokens_after
  gemini_cli.chat.invalid_chunk: error.message
  gemini_cli.chat.content_retry: attempt_number error_type retry_delay_ms model
  gemini_cli.chat.content_retry_failure: total_attempts final_error_type total_duration_ms model
  gemini_cli.network_retry_attempt: attempt max_attempts error_type delay_ms model
  gemini_cli.conversation_finished: approvalMode turnCount
  gemini_cli.next_speaker_check: prompt_id finish_reason result
  gemini_cli.loop_detected: loop_type prompt_id count confirmed_by_model analysis confidence
  gemini_cli.loop_detection_disabled: prompt_id
  gemini_cli.llm_loop_check: prompt_id flash_confidence main_model main_model_confidence
  gemini_cli.flash_fallback: auth_type
  gemini_cli.ripgrep_fallback: error
  gemini_cli.web_fetch_fallback_attempt: reason
  gemini_cli.agent.start: agent_id agent_name
  gemini_cli.agent.finish: agent_id agent_name duration_ms turn_count terminate_reason
  gemini_cli.agent.recovery_attempt: agent_id agent_name reason duration_ms success turn_count
  gemini_cli.extension_install: extension_name extension_version extension_source status
  gemini_cli.extension_uninstall: extension_name status
  gemini_cli.extension_update: extension_name extension_version extension_previous_version extension_source status
  gemini_cli.extension_enable: extension_name setting_scope
  gemini_cli.extension_disable: extension_name setting_scope
  gemini_cli.plan.approval_mode_switch: from_mode to_mode
  gemini_cli.plan.approval_mode_duration: mode duration_ms
  gemini_cli.plan.execution: approval_mode
  gemini_cli.hook_call: hook_event_name hook_type hook_name duration_ms success exit_code hook_input† hook_output† stdout† stderr†
  gemini_cli.conseca.policy_generation: user_prompt† trusted_content† policy error
  gemini_cli.conseca.verdict: verdict user_prompt† policy tool_call verdict_rationale error
  gemini_cli.ide_connection: connection_type
  gemini_cli.rewind: outcome
  gemini_cli.kitty_sequence_overflow: sequence_length truncated_sequence
  gemini_cli.keychain.availability: available
  gemini_cli.token_storage.initialization: type forced
  gemini_cli.onboarding.start:
  gemini_cli.onboarding.success: user_tier duration_ms
  gemini_cli.startup_stats: phases os_platform os_release is_docker
  gemini_cli.overage_menu_shown: model credit_balance overage_strategy selected_option source
  gemini_cli.overage_option_selected: model credit_balance overage_strategy selected_option source
  gemini_cli.empty_wallet_menu_shown: model credit_balance overage_strategy selected_option source
  gemini_cli.credit_purchase_click: model credit_balance overage_strategy selected_option source
  gemini_cli.credits_used: model credit_balance overage_strategy selected_option source
  gemini_cli.api_key_updated: model credit_balance overage_strategy selected_option source
`);

export const DOCUMENTED_METRICS = parse(`
  gemini_cli.session.count:
  gemini_cli.chat.invalid_chunk.count:
  gemini_cli.chat.content_retry.count:
  gemini_cli.chat.content_retry_failure.count:
  gemini_cli.ui.flicker.count:
  gemini_cli.exit.fail.count:
  gemini_cli.onboarding.start:
  gemini_cli.tool.call.count: function_name success decision tool_type
  gemini_cli.tool.call.latency: function_name
  gemini_cli.api.request.count: model status_code error_type
  gemini_cli.api.request.latency: model
  gemini_cli.token.usage: model type
  gemini_cli.file.operation.count: operation lines mimetype extension programming_language
  gemini_cli.lines.changed: function_name type
  gemini_cli.chat_compression: tokens_before tokens_after
  gemini_cli.network_retry.count: model attempt
  gemini_cli.slash_command.model.call_count: slash_command.model.model_name
  gemini_cli.model_routing.latency: routing.decision_model routing.decision_source routing.approval_mode
  gemini_cli.model_routing.failure.count: routing.decision_source routing.error_message routing.approval_mode
  gemini_cli.agent.run.count: agent_name terminate_reason
  gemini_cli.agent.duration: agent_name
  gemini_cli.agent.turns: agent_name
  gemini_cli.agent.recovery_attempt.count: agent_name reason success
  gemini_cli.agent.recovery_attempt.duration: agent_name
  gemini_cli.hook_call.count: hook_event_name hook_name success
  gemini_cli.hook_call.latency: hook_event_name hook_name success
  gemini_cli.plan.execution.count: approval_mode
  gemini_cli.keychain.availability.count: available
  gemini_cli.token_storage.type.count: type forced
  gemini_cli.overage_option.count: selected_option model
  gemini_cli.credit_purchase.count: source model
  gemini_cli.onboarding.success: user_tier
  gemini_cli.onboarding.duration: user_tier
  gemini_cli.startup.duration: phase details
  gemini_cli.memory.usage: memory_type component
  gemini_cli.cpu.usage: component
  gemini_cli.event_loop.delay: percentile component
  gemini_cli.tool.queue.depth:
  gemini_cli.tool.execution.breakdown: function_name phase
  gemini_cli.api.request.breakdown: model phase
  gemini_cli.token.efficiency: model metric context
  gemini_cli.performance.score: category baseline
  gemini_cli.performance.regression: metric severity current_value baseline_value
  gemini_cli.performance.regression.percentage_change: metric severity current_value baseline_value
  gemini_cli.performance.baseline.comparison: metric severity current_value baseline_value
  gemini_cli.ui.slow_render.latency:
  gemini_cli.browser_agent.connection.duration: session_mode headless success error_type tool_name enabled disabled_reason vision_enabled
  gemini_cli.browser_agent.connection.failure.count: session_mode headless success error_type tool_name enabled disabled_reason vision_enabled
  gemini_cli.browser_agent.tools.discovered: session_mode headless success error_type tool_name enabled disabled_reason vision_enabled
  gemini_cli.browser_agent.tools.missing_semantic: session_mode headless success error_type tool_name enabled disabled_reason vision_enabled
  gemini_cli.browser_agent.vision.status: session_mode headless success error_type tool_name enabled disabled_reason vision_enabled
  gemini_cli.browser_agent.task.outcome: session_mode headless success error_type tool_name enabled disabled_reason vision_enabled
  gemini_cli.browser_agent.task.duration: session_mode headless success error_type tool_name enabled disabled_reason vision_enabled
  gemini_cli.browser_agent.cleanup.duration: session_mode headless success error_type tool_name enabled disabled_reason vision_enabled
  gemini_cli.browser_agent.cleanup.failure.count: session_mode headless success error_type tool_name enabled disabled_reason vision_enabled
  gen_ai.client.token.usage: gen_ai.operation.name gen_ai.provider.name gen_ai.token.type gen_ai.request.model gen_ai.response.model server.address server.port error.type
  gen_ai.client.operation.duration: gen_ai.operation.name gen_ai.provider.name gen_ai.token.type gen_ai.request.model gen_ai.response.model server.address server.port error.type
`);

export interface Documented {
  attributes: string[];
  prompts: string[];
}

function parse(text: string): Record<string, Documented> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', list = ''] = line.split(/:\s*/);
      const all = list.split(' ').filter((attribute) => attribute !== '');
      const prompts = all
        .filter((attribute) => attribute.endsWith('†'))
        .map((attribute) => attribute.slice(0, -1));
      return [name, { attributes: all.filter((attribute) => !attribute.endsWith('†')), prompts }];
    }),
  );
}
