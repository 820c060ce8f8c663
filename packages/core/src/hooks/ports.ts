/** The call sites of hooks (`agent/hook-ports.ts`), served by the configured hooks. */
import type { HookPorts, HookScene, ToolScene } from '../agent/hook-ports.js';
import { textOf, toParts } from '../protocol/messages.js';
import { canonicalToolName } from '../protocol/tool-names.js';
import type { ToolResult } from '../tools/tools.js';
import * as effects from './effects.js';
import type { HookedTool, HookSystem } from './hook-system.js';
import { notificationDetails } from './notification-details.js';
import { toLLMRequest, toLLMResponse } from './translator/to-llm.js';
import { HookEventName } from './types.js';

const EVENTS: Readonly<Record<keyof HookPorts, HookEventName>> = {
  sessionStart: HookEventName.SessionStart,
  sessionEnd: HookEventName.SessionEnd,
  beforeAgent: HookEventName.BeforeAgent,
  afterAgent: HookEventName.AfterAgent,
  beforeModel: HookEventName.BeforeModel,
  beforeToolSelection: HookEventName.BeforeToolSelection,
  afterModel: HookEventName.AfterModel,
  beforeTool: HookEventName.BeforeTool,
  afterTool: HookEventName.AfterTool,
  preCompress: HookEventName.PreCompress,
  notification: HookEventName.Notification,
};

/** @param resolveModel from a name or alias to a model */
export function configuredPorts(
  system: HookSystem,
  resolveModel: (name: string) => string,
): Required<HookPorts> {
  return {
    sessionStart: async ({ source, ...scene }) => {
      const output = await system.fireSessionStartEvent(source, scope(scene));
      return output && effects.sessionStartEffect(output);
    },
    sessionEnd: async ({ reason, ...scene }) => {
      await system.fireSessionEndEvent(reason, scope(scene));
    },
    beforeAgent: async ({ prompt, ...scene }) => {
      const output = await system.fireBeforeAgentEvent(textOf(prompt), scope(scene));
      return output && effects.beforeAgentEffect(output);
    },
    afterAgent: async ({ prompt, response, isRetry, ...scene }) => {
      const output = await system.fireAfterAgentEvent(textOf(prompt), response, isRetry, scope(scene));
      return output && effects.afterAgentEffect(output);
    },
    beforeModel: async ({ request, ...scene }) => {
      const output = await system.fireBeforeModelEvent(toLLMRequest(request), scope(scene));
      return output && effects.beforeModelEffect(output, request, resolveModel);
    },
    beforeToolSelection: async ({ request, ...scene }) => {
      const output = await system.fireBeforeToolSelectionEvent(toLLMRequest(request), scope(scene));
      return output && effects.beforeToolSelectionEffect(output);
    },
    afterModel: async ({ request, chunk, ...scene }) => {
      const once = { ...scope(scene), once: request };
      const output = await system.fireAfterModelEvent(toLLMRequest(request), toLLMResponse(chunk), once);
      return output && effects.afterModelEffect(output);
    },
    beforeTool: async (input) => {
      const output = await system.fireBeforeToolEvent(toolOf(input), scope(input));
      return output && effects.beforeToolEffect(output);
    },
    afterTool: async (input) => {
      const response = responseOf(input.result);
      const output = await system.fireAfterToolEvent(toolOf(input), response, scope(input));
      return output && effects.afterToolEffect(output);
    },
    preCompress: async ({ trigger, isCompressing, ...scene }) => {
      await system.firePreCompressEvent(trigger, isCompressing, scope(scene));
    },
    notification: async ({ message, details, ...scene }) => {
      await system.fireNotificationEvent(message, notificationDetails(details), scope(scene));
    },
  };
}

export function eventOfPort(port: keyof HookPorts): HookEventName {
  return EVENTS[port];
}

function scope({ agent, signal }: HookScene) {
  return { agent, signal };
}

function toolOf({ call, originalName, mcpContext }: ToolScene): HookedTool {
  return { name: canonicalToolName(call.name), args: call.args, originalName, mcpContext };
}

/** Calls of the result's functions would be lost in JSON anyway; only data is passed on. */
function responseOf({ llmContent, returnDisplay, error }: ToolResult) {
  const content = typeof llmContent === 'string' ? llmContent : toParts(llmContent);
  return { llmContent: content, returnDisplay, ...(error && { error }) };
}
