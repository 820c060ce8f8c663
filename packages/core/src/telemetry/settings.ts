/** Resolves the telemetry settings: flag over environment over settings file. Runs at every start. */
import { FatalConfigError } from '../base/errors.js';

const TELEMETRY_TARGETS = ['local', 'gcp', 'console'] as const;
const OTLP_PROTOCOLS = ['grpc', 'http'] as const;

export type OtlpProtocol = (typeof OTLP_PROTOCOLS)[number];

export type TelemetryDestination =
  | { kind: 'file'; path: string }
  | { kind: 'otlp'; endpoint: string; protocol: OtlpProtocol }
  | { kind: 'gcp'; project: string; useCliAuth: boolean }
  | { kind: 'console' };

export interface TelemetrySettings {
  destination: TelemetryDestination;
  logPrompts: boolean;
  traces: boolean;
}

export interface TelemetrySources {
  /** The same keys as in the settings. */
  flags?: Readonly<Record<string, unknown>>;
  env: NodeJS.ProcessEnv;
  /** Names in `env` that the project's `.env` file sets. */
  fromProject?: readonly string[] | undefined;
  /** `telemetry` of the merged settings: an object, or `true` for `{ enabled: true }`. */
  settings: unknown;
}

/** `problem`: enabled, but impossible; a message for the user. */
export type ResolvedTelemetry =
  | { enabled: false; problem?: string }
  | { enabled: true; settings: TelemetrySettings };

const PROJECT_MISSING =
  'target "gcp" needs a Google Cloud project: set OTLP_GOOGLE_CLOUD_PROJECT or GOOGLE_CLOUD_PROJECT (not in a project\'s .env) to its id.';
const DEFAULT_ENDPOINT = 'http://localhost:4317';

/** @throws FatalConfigError for a target or protocol that does not exist */
export function resolveTelemetry({
  flags = {},
  env,
  fromProject = [],
  settings,
}: TelemetrySources): ResolvedTelemetry {
  const lookUp = lookUpIn(flags, env, sectionOf(settings));
  const target = oneOf(TELEMETRY_TARGETS, 'target', lookUp('target', 'GEMINI_TELEMETRY_TARGET'));
  const protocol = oneOf(
    OTLP_PROTOCOLS,
    'otlpProtocol',
    lookUp('otlpProtocol', 'GEMINI_TELEMETRY_OTLP_PROTOCOL'),
  );
  if (!isOn(lookUp('enabled', 'GEMINI_TELEMETRY_ENABLED'))) return { enabled: false };
  const useCollector = isOn(lookUp('useCollector', 'GEMINI_TELEMETRY_USE_COLLECTOR'));
  const useCliAuth = isOn(lookUp('useCliAuth', 'GEMINI_TELEMETRY_USE_CLI_AUTH'));
  if (useCollector && useCliAuth) {
    return off('useCollector and useCliAuth exclude each other: a collector signs in by itself.');
  }
  const logPrompts = lookUp('logPrompts', 'GEMINI_TELEMETRY_LOG_PROMPTS');
  const common = {
    logPrompts: logPrompts === undefined || isOn(logPrompts),
    traces: isOn(lookUp('traces', 'GEMINI_TELEMETRY_TRACES_ENABLED')),
  };
  const outfile = textOf(lookUp('outfile', 'GEMINI_TELEMETRY_OUTFILE'));
  if (outfile)
    return { enabled: true, settings: { ...common, destination: { kind: 'file', path: outfile } } };
  if (target === 'console')
    return { enabled: true, settings: { ...common, destination: { kind: 'console' } } };
  if (target === 'gcp' && !useCollector) {
    // A project's file sets it for its own work; the user was not warned that telemetry would follow.
    const own = fromProject.includes('GOOGLE_CLOUD_PROJECT') ? '' : textOf(env['GOOGLE_CLOUD_PROJECT']);
    const project = textOf(env['OTLP_GOOGLE_CLOUD_PROJECT']) || own;
    if (!project) return off(PROJECT_MISSING);
    return { enabled: true, settings: { ...common, destination: { kind: 'gcp', project, useCliAuth } } };
  }
  const endpoint = textOf(
    lookUp('otlpEndpoint', 'GEMINI_TELEMETRY_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT') ??
      DEFAULT_ENDPOINT,
  );
  if (!endpoint) return { enabled: false };
  if (!isHttpUrl(endpoint)) return off(`otlpEndpoint "${endpoint}" is not an http or https URL.`);
  return { enabled: true, settings: { ...common, destination: { kind: 'otlp', endpoint, protocol } } };
}

type LookUp = (key: string, ...variables: string[]) => unknown;

function lookUpIn(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
  section: Readonly<Record<string, unknown>>,
): LookUp {
  return (key, ...variables) => {
    if (flags[key] !== undefined) return flags[key];
    for (const variable of variables) if (env[variable] !== undefined) return env[variable];
    return section[key];
  };
}

function sectionOf(settings: unknown): Readonly<Record<string, unknown>> {
  if (settings === true) return { enabled: true };
  return typeof settings === 'object' && settings !== null ? { ...settings } : {};
}

function isOn(value: unknown): boolean {
  return value === true || value === 'true' || value === '1';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** The first of `values` is the default. */
function oneOf<T extends string>(values: readonly [T, ...T[]], key: string, value: unknown): T {
  if (value === undefined || value === '') return values[0];
  const found = values.find((known) => known === value);
  if (found) return found;
  throw new FatalConfigError(
    `Invalid telemetry.${key}: ${JSON.stringify(value)}. Valid values are: ${values.join(', ')}.`,
  );
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

function off(reason: string): ResolvedTelemetry {
  return { enabled: false, problem: `telemetry.${reason}` };
}
