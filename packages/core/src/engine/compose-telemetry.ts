/** Telemetry of a project: started before the models, so that it sees every call. */
import type { EventStream } from '../bus/event-stream.js';
import { isOn } from '../model/auth/auth-type.js';
import type { Authorizer } from '../model/auth/context.js';
import type { AuthOptions } from '../model/auth/index.js';
import { systemClock } from '../platform/clock.js';
import type { Environment } from '../platform/environment.js';
import { VERSION } from '../platform/version.js';
import type { ModeState } from '../policy/mode-state.js';
import type { TelemetryRecorder } from '../telemetry/record.js';
import type { TelemetrySettings } from '../telemetry/settings.js';
import type { Telemetry, TelemetryOptions } from '../telemetry/start.js';
import type { CompleteParameters, ConfigParameters } from './parameters.js';

export interface TelemetryParts
  extends Pick<TelemetryOptions, 'approvalMode' | 'authType' | 'redact' | 'warn'> {
  parameters: Pick<ConfigParameters, 'telemetry' | 'sessionId' | 'interactive'>;
  environment: Environment;
  onSecret: (secret: string) => void;
}

/** Loaded only when enabled. */
export async function startTelemetryFor(parts: TelemetryParts): Promise<Telemetry | undefined> {
  const { parameters, environment, onSecret, ...state } = parts;
  const { telemetry, interactive, sessionId } = parameters;
  if (!telemetry) return undefined;
  const { startTelemetry } = await import('../telemetry/start.js');
  return startTelemetry({
    settings: telemetry.settings,
    sessionId,
    version: VERSION,
    interactive,
    env: environment.variables,
    proxy: environment.proxy,
    now: systemClock.now,
    ...state,
    authorize: cloudHeaders(telemetry.settings, {
      env: environment.variables,
      proxy: environment.proxy,
      onSecret,
    }),
    writeConsole: telemetry.writeConsole,
  });
}

/** Signs requests to Google Cloud; the credentials are looked for with the first one. */
function cloudHeaders(
  { destination }: TelemetrySettings,
  options: Pick<AuthOptions, 'env' | 'proxy' | 'onSecret'>,
): TelemetryOptions['authorize'] {
  const useCliAuth = destination.kind === 'gcp' && destination.useCliAuth;
  let authorizer: Promise<Authorizer> | undefined;
  return async () => {
    authorizer ??= import('../model/auth/index.js').then(({ createCloudAuthorizer }) =>
      createCloudAuthorizer({ ...options, useCliAuth }),
    );
    return (await authorizer).headers();
  };
}

export interface ObservedSession {
  events: EventStream;
  environment: Environment;
  parameters: Pick<
    CompleteParameters,
    'telemetry' | 'debugMode' | 'coreTools' | 'fileFiltering' | 'mcpServers'
  >;
  modes: ModeState;
  now: () => number;
  model: string;
}

/** @returns a function that stops it */
export async function observeSession(telemetry: Telemetry, session: ObservedSession): Promise<() => void> {
  const { events, environment, parameters, modes, model } = session;
  const { variables } = environment;
  const stops = [
    events.subscribe((event) => telemetry.observe(event, event.agent)),
    observeModes(telemetry.recorder, modes, session.now),
  ];
  const facts = {
    model,
    approval_mode: modes.current,
    debug_mode: parameters.debugMode,
    api_key_enabled: Boolean(variables['GEMINI_API_KEY'] || variables['GOOGLE_API_KEY']),
    vertex_ai_enabled: isOn(variables['GOOGLE_GENAI_USE_VERTEXAI']),
    sandbox_enabled: Boolean(variables['SANDBOX']),
    core_tools_enabled: parameters.coreTools?.join(','),
    file_filtering_respect_git_ignore: parameters.fileFiltering.respectGitIgnore,
    log_user_prompts_enabled: parameters.telemetry?.settings.logPrompts,
    mcp_servers: Object.keys(parameters.mcpServers),
    mcp_servers_count: Object.keys(parameters.mcpServers).length,
  };
  await telemetry.begin(facts, parameters.telemetry?.phases() ?? []);
  return () => {
    for (const stop of stops) stop();
  };
}

/** Records how long each approval mode was in force. @returns ends the last one */
function observeModes(recorder: TelemetryRecorder, modes: ModeState, now: () => number): () => void {
  let current = { mode: modes.current, since: now() };
  const end = () => {
    const { mode, since } = current;
    recorder.event('gemini_cli.plan.approval_mode_duration', { mode, duration_ms: now() - since });
  };
  const stop = modes.onChange((mode) => {
    end();
    recorder.event('gemini_cli.plan.approval_mode_switch', { from_mode: current.mode, to_mode: mode });
    current = { mode, since: now() };
  });
  return () => {
    stop();
    end();
  };
}
