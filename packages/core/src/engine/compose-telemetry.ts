/** Telemetry of a project: started before the models, so that it sees every call. */
import type { EventStream } from '../bus/event-stream.js';
import { systemClock } from '../platform/clock.js';
import type { Environment } from '../platform/environment.js';
import { VERSION } from '../platform/version.js';
import { isMainAgent } from '../protocol/agent-events.js';
import type { ApprovalMode } from '../protocol/confirmation.js';
import type { Telemetry, TelemetryOptions } from '../telemetry/start.js';
import type { ConfigParameters } from './parameters.js';

export interface TelemetryParts
  extends Pick<TelemetryOptions, 'approvalMode' | 'authType' | 'redact' | 'warn'> {
  parameters: Pick<ConfigParameters, 'telemetry' | 'sessionId' | 'interactive'>;
  environment: Environment;
}

/** Loaded only when enabled. */
export async function startTelemetryFor(parts: TelemetryParts): Promise<Telemetry | undefined> {
  const { parameters, environment, ...state } = parts;
  const { telemetry, interactive, sessionId } = parameters;
  if (!telemetry) return undefined;
  const { startTelemetry } = await import('../telemetry/start.js');
  return startTelemetry({
    settings: telemetry.settings,
    sessionId,
    version: VERSION,
    interactive,
    env: environment.variables,
    now: systemClock.now,
    ...state,
    writeConsole: telemetry.writeConsole,
  });
}

export interface ObservedSession {
  events: EventStream;
  environment: Environment;
  parameters: Pick<ConfigParameters, 'telemetry' | 'debugMode'>;
  approvalMode: ApprovalMode;
  model: string;
}

/** @returns a function that stops it */
export async function observeSession(telemetry: Telemetry, session: ObservedSession): Promise<() => void> {
  const { events, environment, parameters, approvalMode, model } = session;
  const { variables } = environment;
  const stop = events.subscribe((event) => {
    // Prompts are the main agent's only; model calls count for every agent.
    if (isMainAgent(event.agent) || event.type === 'usage') telemetry.observe(event);
  });
  const facts = {
    model,
    approval_mode: approvalMode,
    debug_mode: parameters.debugMode,
    api_key_enabled: Boolean(variables['GEMINI_API_KEY'] || variables['GOOGLE_API_KEY']),
    log_user_prompts_enabled: parameters.telemetry?.settings.logPrompts,
  };
  await telemetry.begin(facts, parameters.telemetry?.phases() ?? []);
  return stop;
}
