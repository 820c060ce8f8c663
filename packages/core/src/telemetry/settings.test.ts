import { describe, expect, it } from 'vitest';
import { FatalConfigError } from '../base/errors.js';
import { type ResolvedTelemetry, resolveTelemetry } from './settings.js';

function resolve(settings: unknown, env: Record<string, string> = {}, flags?: Record<string, unknown>) {
  return resolveTelemetry({ settings, env, flags });
}

function on(destination: object, rest: object = {}): ResolvedTelemetry {
  const settings = { destination, logPrompts: true, traces: false, ...rest };
  return { enabled: true, settings: settings as never };
}

const collector = { kind: 'otlp', endpoint: 'http://localhost:4317', protocol: 'grpc' };

describe('resolveTelemetry', () => {
  it.each([
    ['nothing', undefined],
    ['an empty section', {}],
    ['false', { enabled: false }],
    ['a word that is not true', { enabled: 'yes' }],
    ['something else than an object', 'on'],
  ])('disables telemetry with %s', (_name, settings) => {
    expect(resolve(settings)).toEqual({ enabled: false });
  });

  it('sends to a local collector when telemetry is only enabled', () => {
    expect(resolve({ enabled: true })).toEqual(on(collector));
    expect(resolve(true)).toEqual(on(collector));
  });

  it('prefers the environment to the settings, and a flag to both', () => {
    const settings = { enabled: true, outfile: 'settings.log' };
    expect(resolve(settings, { GEMINI_TELEMETRY_ENABLED: 'false' })).toEqual({ enabled: false });
    expect(resolve(settings, { GEMINI_TELEMETRY_OUTFILE: 'env.log' })).toEqual(
      on({ kind: 'file', path: 'env.log' }),
    );
    expect(resolve(settings, { GEMINI_TELEMETRY_OUTFILE: 'env.log' }, { outfile: 'flag.log' })).toEqual(
      on({ kind: 'file', path: 'flag.log' }),
    );
  });

  it.each([
    ['true', true],
    ['1', true],
    ['TRUE', false],
    ['yes', false],
    ['0', false],
    ['', false],
  ])('reads %j in a variable as %s', (value, expected) => {
    expect(resolve({}, { GEMINI_TELEMETRY_ENABLED: value }).enabled).toBe(expected);
    const resolved = resolve(true, {
      GEMINI_TELEMETRY_LOG_PROMPTS: value,
      GEMINI_TELEMETRY_TRACES_ENABLED: value,
    });
    expect(resolved).toEqual(on(collector, { logPrompts: expected, traces: expected }));
  });

  it('writes to the file when there is a file and an endpoint', () => {
    const settings = { enabled: true, outfile: 'a.log', otlpEndpoint: 'http://collector:4318' };
    expect(resolve(settings)).toEqual(on({ kind: 'file', path: 'a.log' }));
  });

  it('prefers our own endpoint variable to that of OpenTelemetry', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other:4318', GEMINI_TELEMETRY_OTLP_PROTOCOL: 'http' };
    const endpoint = 'http://other:4318';
    expect(resolve({ enabled: true, otlpEndpoint: 'http://third' }, env)).toEqual(
      on({ kind: 'otlp', endpoint, protocol: 'http' }),
    );
    const ours = { ...env, GEMINI_TELEMETRY_OTLP_ENDPOINT: 'https://ours:1' };
    expect(resolve(true, ours)).toEqual(on({ kind: 'otlp', endpoint: 'https://ours:1', protocol: 'http' }));
  });

  it('does nothing without file and endpoint', () => {
    expect(resolve({ enabled: true, otlpEndpoint: '' })).toEqual({ enabled: false });
  });

  it('writes to the console only when asked to', () => {
    expect(resolve({ enabled: true, target: 'console' })).toEqual(on({ kind: 'console' }));
  });

  it('disables telemetry, with a reason, when a collector and our credentials are both requested', () => {
    expect(resolve({ enabled: true, useCollector: true, useCliAuth: true })).toEqual({
      enabled: false,
      problem: expect.stringContaining('useCollector and useCliAuth exclude each other'),
    });
  });

  it('disables telemetry, with a reason, when the endpoint is not a URL', () => {
    for (const otlpEndpoint of ['localhost:4317', 'nonsense', 'file:///etc/passwd']) {
      expect(resolve({ enabled: true, otlpEndpoint })).toEqual({
        enabled: false,
        problem: `telemetry.otlpEndpoint "${otlpEndpoint}" is not an http or https URL.`,
      });
    }
  });

  it('sends data for Google Cloud to a collector, or directly to a project', () => {
    expect(resolve({ enabled: true, target: 'gcp', useCollector: true })).toEqual(on(collector));
    const env = { GOOGLE_CLOUD_PROJECT: 'p', OTLP_GOOGLE_CLOUD_PROJECT: 'observed' };
    const direct = (project: string, useCliAuth: boolean) => on({ kind: 'gcp', project, useCliAuth });
    expect(resolve({ enabled: true, target: 'gcp' }, env)).toEqual(direct('observed', false));
    const settings = { enabled: true, target: 'gcp', useCliAuth: true };
    expect(resolve(settings, { GOOGLE_CLOUD_PROJECT: 'p' })).toEqual(direct('p', true));
  });

  it('disables telemetry, with a reason, when Google Cloud has no project', () => {
    expect(resolve({ enabled: true, target: 'gcp' })).toEqual({
      enabled: false,
      problem: expect.stringContaining('set OTLP_GOOGLE_CLOUD_PROJECT or GOOGLE_CLOUD_PROJECT'),
    });
  });

  it.each([
    [{ target: 'gpc' }, {}, 'Invalid telemetry.target: "gpc". Valid values are: local, gcp, console.'],
    [
      {},
      { GEMINI_TELEMETRY_TARGET: 'x' },
      'Invalid telemetry.target: "x". Valid values are: local, gcp, console.',
    ],
    [{ otlpProtocol: 5 }, {}, 'Invalid telemetry.otlpProtocol: 5. Valid values are: grpc, http.'],
  ])('refuses %j %j', (settings, env, message) => {
    expect(() => resolve(settings, env)).toThrow(new FatalConfigError(message));
  });
});
