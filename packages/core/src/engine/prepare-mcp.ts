/** What MCP servers may ask of the session, and what front ends are told about them. Loaded with the first server. */
import type { EventStream } from '../bus/event-stream.js';
import type { CreatedMcp } from '../mcp/create.js';
import { MCPServerStatus } from '../mcp/mcp-client.js';
import type { ServerRequestHandlers } from '../mcp/request-handlers.js';
import { elicitHandler } from '../mcp/server-requests/elicit.js';
import { rootsOf } from '../mcp/server-requests/roots.js';
import { SAMPLING, type SamplingRequest, sampleHandler } from '../mcp/server-requests/sample.js';
import { partsOf } from '../model/content-generator.js';
import { toUsage } from '../model/usage.js';
import type { Clock } from '../platform/clock.js';
import { createLog } from '../platform/log.js';
import { randomUuid } from '../platform/random.js';
import type { PolicyEngine } from '../policy/policy-engine.js';
import { PolicyDecision } from '../protocol/confirmation.js';
import { textOf } from '../protocol/messages.js';
import type { WorkspaceContext } from '../workspace/workspace-context.js';
import type { ModelServices } from './compose-models.js';

export interface McpSessionParts {
  isInteractive: boolean;
  events: EventStream;
  policy: PolicyEngine;
  models: ModelServices;
  requestedModel: () => string;
  workspace: Pick<WorkspaceContext, 'getDirectories' | 'onChange'>;
  clock: Pick<Clock, 'now'>;
}

const log = createLog('mcp');
const MAX_LOG_CHARS = 4_000;

/** What a server may ask. */
export function serverHandlers(parts: McpSessionParts): ServerRequestHandlers {
  const { isInteractive, events, policy, workspace } = parts;
  const offersSampling = isInteractive || hasSamplingRule(policy);
  return {
    roots: async () => rootsOf(workspace.getDirectories()),
    log: (server, { level, logger, data }) =>
      log.debug(`${server.name}${logger ? ` (${logger})` : ''}: ${level}`, shorten(data)),
    ...(isInteractive && { elicit: elicitHandler(events), elicitation: { form: {}, url: {} } }),
    ...(offersSampling && {
      sample: sampleHandler({
        isInteractive,
        events,
        decide: (serverName, signal) => policy.evaluate({ name: SAMPLING, args: {} }, { serverName, signal }),
        isNamedByRule: (serverName) => hasSamplingRule(policy, serverName),
        generate: (request, signal) => generate(request, parts, signal),
      }),
    }),
  };
}

/** Call it before the servers start. */
export function prepareMcp({ manager }: Pick<CreatedMcp, 'manager'>, parts: McpSessionParts): void {
  const { events, workspace } = parts;
  manager.setHandlers(serverHandlers(parts));
  workspace.onChange(() => {
    for (const { client } of manager.servers()) void client?.rootsChanged();
  });
  manager.onChange(() => {
    const views = manager.servers();
    const count = (status: MCPServerStatus) => views.filter((view) => view.status === status).length;
    events.emit({
      type: 'mcp_changed',
      servers: views.length - count(MCPServerStatus.BLOCKED) - count(MCPServerStatus.DISABLED),
      blocked: count(MCPServerStatus.BLOCKED),
      prompts: views.flatMap(({ server, client }) =>
        (client?.prompts ?? []).map(({ name }) => `${server.name}/${name}`),
      ),
    });
  });
}

/** A rule for all tools of a server does not count. */
function hasSamplingRule(policy: PolicyEngine, serverName?: string): boolean {
  const wanted = serverName?.trim().toLowerCase();
  return policy
    .getRules()
    .some(
      ({ decision, toolNames, mcpName }) =>
        decision === PolicyDecision.ALLOW &&
        toolNames?.includes(SAMPLING) === true &&
        (wanted === undefined || mcpName === '*' || mcpName?.trim().toLowerCase() === wanted),
    );
}

/** Thoughts count as output, so the limit for the answer alone would leave nothing of it. */
const ROOM_FOR_THOUGHTS = 8_192;

async function generate(
  { messages, systemInstruction, maxTokens, temperature, stopSequences }: SamplingRequest,
  { models, requestedModel, events, clock }: McpSessionParts,
  signal: AbortSignal,
): Promise<{ text: string; model: string; isCut: boolean }> {
  const wanted = models.resolve(requestedModel());
  const { model, settings } = models.configs.forChat(wanted);
  const role = 'utility_mcp_sampling';
  const started = clock.now();
  const response = await models.generator.generateContent(
    {
      model,
      role,
      promptId: randomUuid(),
      messages,
      ...(systemInstruction !== undefined && { systemInstruction }),
      settings: {
        ...settings,
        maxOutputTokens: maxTokens + (settings.thinkingConfig ? ROOM_FOR_THOUGHTS : 0),
        ...(temperature !== undefined && { temperature }),
        ...(stopSequences && { stopSequences }),
      },
    },
    signal,
  );
  const { usageMetadata, modelVersion = model, candidates } = response;
  if (usageMetadata) {
    const latencyMs = clock.now() - started;
    events.emit({ type: 'usage', model: modelVersion, role, usage: toUsage(usageMetadata), latencyMs });
  }
  return {
    text: textOf(partsOf(response)),
    model: modelVersion,
    isCut: candidates?.[0]?.finishReason === 'MAX_TOKENS',
  };
}

function shorten(data: unknown): unknown {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return text !== undefined && text.length > MAX_LOG_CHARS ? `${text.slice(0, MAX_LOG_CHARS)}…` : data;
}
