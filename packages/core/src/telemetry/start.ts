/** Starts and stops the telemetry of one session. Imported only when telemetry is enabled. */
import type { ContentGenerator } from '../model/content-generator.js';
import type { ModelNote } from '../model/model-note.js';
import { globalGeminiDir } from '../platform/storage/storage.js';
import { type AgentEventBody, type AgentRef, isMainAgent, MAIN_AGENT } from '../protocol/agent-events.js';
import { ActiveRecorder } from './active-recorder.js';
import type { Redact } from './catalog/attributes.js';
import type { TelemetrySink } from './catalog/data.js';
import type { EventAttributes } from './catalog/events.js';
import { openTelemetryFile } from './export/file-exporter.js';
import { jsonSink } from './export/json-sink.js';
import { Traces } from './export/traces.js';
import { installationId } from './installation-id.js';
import { AgentRunObserver } from './observe/agent-runs.js';
import { AgentEventObserver } from './observe/from-agent-events.js';
import { observeHooks } from './observe/hook-calls.js';
import { recordModelNote } from './observe/model-notes.js';
import { ResourceMonitor } from './observe/monitor.js';
import { ObservedGenerator } from './observe/observe-model.js';
import { recordSessionStart, type StartupPhase } from './observe/session-start.js';
import type { TelemetryRecorder } from './record.js';
import type { TelemetryDestination, TelemetrySettings } from './settings.js';

const GCP_METRIC_INTERVAL_MS = 30_000;

export interface TelemetryOptions {
  settings: TelemetrySettings;
  sessionId: string;
  version: string;
  interactive: boolean;
  env: NodeJS.ProcessEnv;
  /** `general.proxy` */
  proxy?: string | undefined;
  now: () => number;
  /** Hides secrets; every exported string goes through it. */
  redact: Redact;
  approvalMode: () => string;
  authType: () => string | undefined;
  /** The address of a Google sign-in. */
  userEmail?: () => string | undefined;
  /** Tells the user that the data cannot be written or sent. Called at most once. */
  warn: (message: string) => void;
  /** Headers that sign a request to Google Cloud. @throws what is missing */
  authorize: () => Promise<Record<string, string>>;
  /** Gets the records of the target `console`; the front end decides where they go. */
  writeConsole: (text: string) => void;
}

/** @example
 * const telemetry = await startTelemetry(options);
 * const generator = telemetry.observeModel(provider, { provider: 'gcp.gemini' });
 * session.subscribe((event) => telemetry.observe(event));
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  return new Telemetry(options, await openSink(options.settings.destination, options));
}

async function openSink(
  destination: TelemetryDestination,
  { warn, writeConsole, authorize, env, proxy }: TelemetryOptions,
): Promise<TelemetrySink> {
  switch (destination.kind) {
    case 'file':
      return openTelemetryFile(destination.path, warn);
    case 'console':
      return jsonSink(writeConsole, () => undefined);
    case 'otlp': {
      const { openOtlp } = await import('./export/otlp.js');
      return openOtlp(destination, warn);
    }
    case 'gcp': {
      const { openGcp } = await import('./export/gcp.js');
      return openGcp({ project: destination.project, authorize, network: { variables: env, proxy }, warn });
    }
  }
}

export class Telemetry {
  readonly recorder: TelemetryRecorder;
  private readonly traces = new Traces();
  private readonly observer: AgentEventObserver;
  private readonly agentRuns: AgentRunObserver;
  private readonly monitor: ResourceMonitor;

  constructor(
    private readonly options: TelemetryOptions,
    sink: TelemetrySink,
  ) {
    const { sessionId, version, settings, redact, now, approvalMode, env } = options;
    const { logPrompts, traces } = settings;
    const common = commonAttributes(options);
    // Cloud Monitoring refuses points that follow each other too closely.
    const metricIntervalMs = settings.destination.kind === 'gcp' ? GCP_METRIC_INTERVAL_MS : undefined;
    const recorder = new ActiveRecorder(
      { sessionId, version, logPrompts, traces, common, redact, now, metricIntervalMs },
      sink,
    );
    this.recorder = recorder;
    this.observer = new AgentEventObserver({
      recorder,
      traces: this.traces,
      now,
      approvalMode,
      authType: options.authType,
    });
    this.agentRuns = new AgentRunObserver({
      recorder,
      traces: this.traces,
      now,
      mainSpan: () => this.observer.span,
    });
    this.monitor = new ResourceMonitor(recorder, env['GEMINI_MEMORY_MONITOR_INTERVAL']);
  }

  /** Call once, when the session is set up. */
  async begin(config: EventAttributes<'gemini_cli.config'>, phases: readonly StartupPhase[]): Promise<void> {
    await recordSessionStart(this.recorder, config, phases, this.options.env);
    this.monitor.sample('startup');
  }

  /** Wraps a model so that its calls are recorded. */
  observeModel(
    generator: ContentGenerator,
    model: { provider: string; server?: { address: string; port: number } },
  ): ContentGenerator {
    const { recorder, traces } = this;
    return new ObservedGenerator(generator, { recorder, traces, now: this.options.now, ...model });
  }

  observe(event: AgentEventBody, agent: AgentRef = MAIN_AGENT): void {
    if (isMainAgent(agent)) this.observer.handle(event);
    else this.agentRuns.handle(event, agent);
  }

  note(note: ModelNote): void {
    recordModelNote(this.recorder, note);
  }

  /** Wraps functions that are called as hooks. */
  observeHooks<Ports extends object>(hooks: Ports): Ports {
    const { recorder } = this;
    return observeHooks(hooks, { recorder, now: this.options.now });
  }

  /** Resolves when all records are written or sent; never rejects and takes a few seconds at most. */
  async shutdown(): Promise<void> {
    this.monitor.sample('shutdown');
    this.monitor.stop();
    await this.recorder.shutdown();
  }
}

function commonAttributes({
  sessionId,
  interactive,
  approvalMode,
  authType,
  userEmail,
  env,
}: TelemetryOptions) {
  const installation = installationId(globalGeminiDir(env));
  return () => ({
    'session.id': sessionId,
    'installation.id': installation,
    interactive,
    active_approval_mode: approvalMode(),
    'user.email': userEmail?.(),
    auth_type: authType(),
  });
}
