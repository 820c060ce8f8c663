/** For tests: a shell service with its own log folder, and short ways to run a command. */
import { tempDir } from '@gemini-cli/test-utils';
import { endProbed, newProbe, probed } from '../process/process-probe.test-helper.js';
import type { ShellResult } from './shell-execution.js';
import { ShellExecutionService, type ShellRequest } from './shell-service.js';
import type { ShellSettings } from './shell-settings.js';
import { DEFAULT_SHELL_SETTINGS } from './shell-settings.test-helper.js';

export const METHODS: readonly [string, Partial<ShellSettings>][] = [
  ['pipes', { enableInteractiveShell: false }],
  ['a terminal', { enableInteractiveShell: true }],
  ['a drawn terminal', { enableInteractiveShell: true, interactive: true }],
];

export type RunOverrides = Partial<Omit<ShellRequest, 'settings'>>;

export class ShellRig {
  readonly temp = tempDir('gemini-shell-test-');
  readonly logDirectory = `${this.temp.path}/logs`;
  readonly service = new ShellExecutionService({
    logDirectory: this.logDirectory,
    variables: process.env,
  });
  readonly probe = newProbe();

  start(
    command: string,
    settings: Partial<ShellSettings> = {},
    overrides: RunOverrides = {},
  ): Promise<{ pid?: number; result: Promise<ShellResult> }> {
    return this.service.execute({
      command,
      cwd: this.temp.path,
      settings: { ...DEFAULT_SHELL_SETTINGS, ...settings },
      isTrustedFolder: true,
      signal: new AbortController().signal,
      ...overrides,
      environment: { ...this.probe.environment, ...overrides.environment },
    });
  }

  async run(
    command: string,
    settings?: Partial<ShellSettings>,
    overrides?: RunOverrides,
  ): Promise<ShellResult> {
    return (await this.start(command, settings, overrides)).result;
  }

  /** Processes started by our commands that still run. */
  left(): number[] {
    return probed(this.probe.value);
  }

  async cleanUp(): Promise<void> {
    await this.service.killAll();
    endProbed(this.probe.value);
    this.temp.cleanup();
  }
}
