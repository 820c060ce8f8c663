/** What one entry in the settings tables brings, shown with a setting that no other file mentions. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { DEFAULT_CONTEXT_FILE } from '../memory/names.js';
import { environmentOf } from '../platform/environment.js';
import { toParameters } from '../project/parameters-from.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { SettingsSection } from '../settings/schema/definition.js';
import { type Settings, setting } from '../settings/schema/index.js';
import {
  liveOnly,
  mappedSettings,
  type ParametersOf,
  settingParameters,
  withDefaults,
} from '../settings/schema/parameters.js';
import { SETTINGS } from '../settings/schema/root.js';
import { resolveTelemetry } from '../telemetry/settings.js';
import { Config } from './config.js';

/** The one entry. */
const ENTRY = {
  kind: 'boolean',
  default: true,
  description: 'Greets the user.',
  parameter: 'greets',
  live: true,
} as const;
const TABLES = {
  ...SETTINGS,
  general: { ...SETTINGS.general, properties: { ...SETTINGS.general.properties, greets: ENTRY } },
} as const satisfies SettingsSection;

const MAPPED = mappedSettings(TABLES);
const REQUIRED = { sessionId: 's', targetDir: '/', debugMode: false, model: 'm', interactive: false };
const OFF = { general: { greets: false } } as Settings;

describe('one entry in the settings tables', () => {
  it('is a parameter of that type', () => {
    expectTypeOf<ParametersOf<typeof TABLES>['greets']>().toEqualTypeOf<boolean | undefined>();
  });

  it('reaches a Config', () => {
    const config = new Config({ ...REQUIRED, ...settingParameters(OFF, MAPPED) });
    expect(config.parameters).toMatchObject({ greets: false });
  });

  it('has its default where no file sets it', () => {
    expect(withDefaults(settingParameters({}, MAPPED), MAPPED)).toMatchObject({
      greets: true,
    });
    expect(withDefaults(settingParameters(OFF, MAPPED), MAPPED)).toMatchObject({
      greets: false,
    });
  });

  it('follows the settings in a running session', () => {
    const changed = liveOnly(settingParameters(OFF, MAPPED), MAPPED);
    expect(changed).toMatchObject({ greets: false });
    expect(changed).not.toHaveProperty('maxAttempts');
    // Absent would mean unchanged.
    expect(liveOnly({}, MAPPED)).toHaveProperty('greets', undefined);
  });
});

describe('the parameters of a session', () => {
  it('have the defaults of the tables when nothing is set', () => {
    const { parameters } = new Config(REQUIRED);
    expect(parameters).toMatchObject({
      maxAttempts: 10,
      undo: { enabled: true, maxBytes: 1_073_741_824 },
      shell: { pager: 'cat', inactivityTimeout: 300 },
      models: { gemmaRouter: { enabled: false, classifier: { model: 'gemma3-1b-gpu-custom' } } },
      output: { format: 'text' },
    });
    expect(parameters.sessions).toBeUndefined();
    expect(parameters.memory.fileName).toBeUndefined();
  });

  it('keep given values, key by key', () => {
    const { parameters } = new Config({ ...REQUIRED, undo: { enabled: false }, shell: { hasScreen: true } });
    expect(parameters.undo).toEqual({ enabled: false, maxBytes: 1_073_741_824 });
    expect(parameters.shell).toMatchObject({ hasScreen: true, showColor: true });
  });

  it('are the same for an opened folder without settings and for a library call', () => {
    const opened = toParameters({
      overrides: {},
      environment: environmentOf({}, '/'),
      settings: {},
      cwd: '/',
      session: { sessionId: 's' },
      frontEnd: { interactive: false },
      trusted: true,
      notice: () => undefined,
    });
    const { sessions, approvalMode, budget, ...rest } = new Config({ ...opened, model: 'm' }).parameters;
    expect(defined(rest)).toEqual(
      defined({ ...new Config({ ...REQUIRED, allowedTools: [] }).parameters, trusted: true }),
    );
  });
});

describe('defaults that code below the settings layer has to know', () => {
  it('equal those of the tables', () => {
    expect(DEFAULT_CONTEXT_FILE).toBe(setting({}, 'context.fileName'));
    expect(ApprovalMode.DEFAULT).toBe(setting({}, 'general.defaultApprovalMode'));
    const entries = Object.entries(SETTINGS.telemetry.properties).map(([key, entry]) => [
      key,
      'default' in entry ? entry.default : undefined,
    ]);
    const env = { GEMINI_TELEMETRY_ENABLED: 'true' };
    expect(resolveTelemetry({ env, settings: undefined })).toEqual(
      resolveTelemetry({ env, settings: Object.fromEntries(entries) }),
    );
  });
});

/** As JSON has it: an absent key and an undefined one are the same. */
function defined(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
