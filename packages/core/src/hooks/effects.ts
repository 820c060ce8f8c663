/** Reads a merged output as what the call site of the event can do. */

import { restrictTools } from '../agent/chat/hooked-generator.js';
import type {
  AfterAgentEffect,
  AfterModelEffect,
  AfterToolEffect,
  BeforeAgentEffect,
  BeforeModelEffect,
  BeforeToolEffect,
  ContextEffect,
  ToolDenyEffect,
} from '../agent/hook-ports.js';
import { isObject } from '../base/objects.js';
import type { GenerateRequest, ToolChoice } from '../model/content-generator.js';
import type { MergedOutput } from './aggregator.js';
import { isDenial } from './decision.js';
import { applyRequest, toResponse, toToolChoice } from './translator/from-llm.js';
import type { HookOutput } from './types.js';

const STOPPED = 'A hook stopped the agent without a reason.';
const DENIED = 'A hook refused this without a reason.';

export function sessionStartEffect(output: HookOutput): ContextEffect {
  return contextOf(output);
}

export function beforeAgentEffect(output: HookOutput): BeforeAgentEffect {
  return { ...stopOf(output), ...denyOf(output), ...contextOf(output) };
}

export function afterAgentEffect(output: HookOutput): AfterAgentEffect {
  const { deny } = denyOf(output);
  return {
    ...stopOf(output),
    ...(deny !== undefined && { retry: deny }),
    ...(output.hookSpecificOutput?.['clearContext'] === true && { clearContext: true }),
  };
}

export function beforeModelEffect(
  output: HookOutput,
  request: GenerateRequest,
  resolveModel: (name: string) => string,
): BeforeModelEffect {
  const { llm_request: edited, llm_response: answer } = output.hookSpecificOutput ?? {};
  const response = toResponse(answer);
  return {
    ...stopOf(output),
    ...denyOf(output),
    ...(isObject(edited) && { request: editedRequest(request, edited, resolveModel) }),
    ...(response && { response }),
  };
}

function editedRequest(
  request: GenerateRequest,
  edited: Record<string, unknown>,
  resolveModel: (name: string) => string,
): GenerateRequest {
  const applied = applyRequest(request, edited, resolveModel);
  const choice = toToolChoice(edited['toolConfig']);
  return choice ? restrictTools(applied, choice) : applied;
}

export function beforeToolSelectionEffect(output: HookOutput): ToolChoice | undefined {
  return toToolChoice(output.hookSpecificOutput?.['toolConfig']);
}

export function afterModelEffect(output: HookOutput): AfterModelEffect {
  const chunk = toResponse(output.hookSpecificOutput?.['llm_response']);
  return { ...stopOf(output), ...denyOf(output), ...(chunk && { chunk }) };
}

export function beforeToolEffect(output: MergedOutput): BeforeToolEffect {
  const args = output.hookSpecificOutput?.['tool_input'];
  return {
    ...stopOf(output),
    ...denyOfTool(output),
    ...(output.decision === 'ask' && {
      ask: output.systemMessage || output.reason || 'A hook asks you to decide.',
    }),
    ...(isObject(args) && { args }),
  };
}

export function afterToolEffect(output: MergedOutput): AfterToolEffect {
  const tail = output.hookSpecificOutput?.['tailToolCallRequest'];
  const name = isObject(tail) ? tail['name'] : undefined;
  return {
    ...stopOf(output),
    ...denyOfTool(output),
    ...contextOf(output),
    ...(isObject(tail) &&
      typeof name === 'string' && { tail: { name, args: isObject(tail['args']) ? tail['args'] : {} } }),
  };
}

function stopOf(output: HookOutput): { stop?: string } {
  if (output.continue !== false) return {};
  const shown = output.suppressOutput ? undefined : output.systemMessage;
  return { stop: shown || reasonOf(output, STOPPED) };
}

function denyOf(output: HookOutput): { deny?: string } {
  return isDenial(output.decision) ? { deny: reasonOf(output, DENIED) } : {};
}

function denyOfTool(output: MergedOutput): ToolDenyEffect {
  const { refusedBy } = output;
  return { ...denyOf(output), ...(refusedBy !== undefined && { deniedBy: refusedBy }) };
}

function reasonOf({ stopReason, reason }: HookOutput, otherwise: string): string {
  return stopReason || reason || otherwise;
}

function contextOf(output: HookOutput): ContextEffect {
  const text = output.hookSpecificOutput?.['additionalContext'];
  return typeof text === 'string' && text !== '' ? { context: text } : {};
}
