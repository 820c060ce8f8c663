/** Telemetry of a session: started before the models, so that it sees every call, and told what the session does. */
import type { AgentSession } from '../agent/agent-session.js';
import { systemClock } from '../platform/clock.js';
import type { Redactor } from '../platform/redact.js';
import { VERSION } from '../platform/version.js';
import type { ApprovalMode } from '../protocol/confirmation.js';
import type { Telemetry, TelemetryOptions } from '../telemetry/start.js';
import type { Config } from './config.js';

/** Loaded only when it is on. */
export async function startTelemetryFor(
  config: Config,
  redactor: Redactor,
  state: Pick<TelemetryOptions, 'approvalMode' | 'authType'>,
): Promise<Telemetry | undefined> {
  const { telemetry, interactive } = config.parameters;
  if (!telemetry) return undefined;
  const { startTelemetry } = await import('../telemetry/start.js');
  return startTelemetry({
    settings: telemetry.settings,
    sessionId: config.getSessionId(),
    version: VERSION,
    interactive,
    env: config.getEnvironment().variables,
    now: systemClock.now,
    redact: (text) => redactor.redact(text),
    ...state,
    warn: telemetry.warn,
    writeConsole: telemetry.writeConsole,
  });
}

export async function observeSession(
  telemetry: Telemetry,
  session: AgentSession,
  engine: Config,
  approvalMode: ApprovalMode,
  model: string,
): Promise<void> {
  session.subscribe((event) => telemetry.observe(event));
  const { parameters } = engine;
  const { variables } = engine.getEnvironment();
  const config = {
    model,
    approval_mode: approvalMode,
    debug_mode: parameters.debugMode,
    api_key_enabled: Boolean(variables['GEMINI_API_KEY'] || variables['GOOGLE_API_KEY']),
    log_user_prompts_enabled: parameters.telemetry?.settings.logPrompts,
  };
  await telemetry.begin(config, parameters.telemetry?.phases() ?? []);
}
