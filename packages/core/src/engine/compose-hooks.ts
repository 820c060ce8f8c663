/** The hooks of an engine. Nothing of them is loaded while none is configured. */
import type { HookPorts } from '../agent/hook-ports.js';
import { messageOf } from '../base/errors.js';
import type { EventStream } from '../bus/event-stream.js';
import type { HookSystem } from '../hooks/hook-system.js';
import type { ExtensionHooks } from '../hooks/sources/extension-files.js';
import type { RuntimeHook } from '../hooks/types.js';
import type { Environment } from '../platform/environment.js';
import type { ToolSandbox } from '../platform/sandbox/tool-sandbox.js';
import type { ShellSettings } from '../platform/shell/shell-settings.js';
import type { Storage } from '../platform/storage/storage.js';
import type { LoadedSettings } from '../settings/loaded-settings.js';
import type { Settings } from '../settings/schema/index.js';
import type { TelemetryRecorder } from '../telemetry/record.js';
import { lookedUp, mergePorts } from './merge-hook-ports.js';

export interface HookParts {
  /** Functions of the program, called before the configured hooks. */
  programPorts: HookPorts;
  runtimeHooks?: readonly RuntimeHook[] | undefined;
  extensions?: readonly ExtensionHooks[] | undefined;
  settings: LoadedSettings | undefined;
  isTrusted: () => boolean;
  environment: Environment;
  storage: Storage;
  targetDir: string;
  shellSettings: ShellSettings;
  toolSandbox: () => ToolSandbox | undefined;
  sessionId: () => string;
  transcriptPath: () => string | undefined;
  plansDirectory: () => string | undefined;
  resolveModel: (name: string) => string;
  events: EventStream;
  redact: (text: string) => string;
  recorder: TelemetryRecorder;
  now: () => number;
}

export interface HookServices {
  ports: HookPorts;
  /** Undefined while no hook is configured, or while hooks are disabled. */
  system(): HookSystem | undefined;
  /** Resolves when hooks that came with other settings, or with trust, are ready. */
  refresh(): Promise<void>;
  close(): void;
}

interface Loaded {
  system: HookSystem;
  ports: HookPorts;
}

export async function composeHooks(parts: HookParts): Promise<HookServices> {
  const { settings } = parts;
  // `hooksConfig.enabled` needs a restart.
  if (settings?.merged.hooksConfig?.enabled === false) return noHooks(parts.programPorts);
  let loaded: Loaded | undefined;
  let wasTrusted = parts.isTrusted();
  let last: Promise<void> = Promise.resolve();
  const update = async () => {
    const isTrusted = parts.isTrusted();
    // `hooks.toml` of the project is read only while the folder is trusted.
    if (isTrusted && !wasTrusted) await settings?.loadExtraFiles();
    wasTrusted = isTrusted;
    if (isConfigured(parts)) loaded ??= await load(parts);
  };
  const refresh = () => {
    last = last.then(update).catch((error: unknown) => {
      parts.events.notice(`Hooks could not be loaded: ${messageOf(error)}`);
    });
    return last;
  };
  await refresh();
  const stopListening = settings?.onChange(() => void refresh());
  const configured = lookedUp((port) => loaded?.ports[port]);
  return {
    ports: mergePorts(parts.programPorts, configured),
    system: () => loaded?.system,
    refresh,
    close: () => stopListening?.(),
  };
}

function noHooks(ports: HookPorts): HookServices {
  return { ports, system: () => undefined, refresh: async () => undefined, close: () => undefined };
}

function isConfigured({ settings, runtimeHooks, extensions }: HookParts): boolean {
  return Boolean(runtimeHooks?.length || extensions?.length) || configuresHooks(settings?.merged.hooks);
}

function configuresHooks(hooks: Settings['hooks'] = {}): boolean {
  return Object.values(hooks).some((groups) => groups.some((group) => group.hooks?.length));
}

async function load(parts: HookParts): Promise<Loaded> {
  const { createHookSystem } = await import('../hooks/create.js');
  const { settings, targetDir, environment, storage, events } = parts;
  const { system, ports } = await createHookSystem({
    settings,
    runtimeHooks: parts.runtimeHooks ?? [],
    extensions: parts.extensions ?? [],
    runner: {
      isTrusted: parts.isTrusted,
      variables: environment.variables,
      settings: parts.shellSettings,
      sandbox: parts.toolSandbox,
      places: () => ({
        projectDir: targetDir,
        cwd: targetDir,
        plansDir: parts.plansDirectory(),
        sessionId: parts.sessionId(),
      }),
    },
    variables: environment.variables,
    session: () => ({
      sessionId: parts.sessionId(),
      transcriptPath: parts.transcriptPath() ?? '',
      cwd: targetDir,
    }),
    globalDir: storage.getGlobalGeminiDir(),
    projectRoot: targetDir,
    resolveModel: parts.resolveModel,
    emit: (body, agent) => void events.emit(body, agent),
    notice: (message) => events.notice(message),
    canAsk: () => events.canAnswer(),
    showsRunning: () => settings?.merged.hooksConfig?.notifications !== false,
    redact: parts.redact,
    recorder: parts.recorder,
    now: parts.now,
  });
  return {
    system,
    ports: lookedUp((port) => (system.has(ports.eventOf(port)) ? ports.configured[port] : undefined)),
  };
}
