/** Tools that a command of the project offers: discovered in the background, known before the first request. */
import type { MessageBus } from '../../bus/message-bus.js';
import { shellEnvironment } from '../../platform/shell/shell-environment.js';
import { isAllowed } from '../../settings/trust/untrusted.js';
import { DiscoveredSource } from '../../tools/discovered/discovered-source.js';
import { DISCOVERED_PREFIX, type DiscoveryHost } from '../../tools/discovered/discovered-tool.js';
import type { ToolRegistry } from '../../tools/tool-registry.js';
import type { Engine } from '../engine.js';

export interface Discovery {
  /** Resolves when the tools are registered, or it is known that there are none. */
  ready(): Promise<void>;
  /** After a change of trust or settings. */
  refresh(): void;
  close(): void;
}

export function composeDiscovery(engine: Engine, registry: ToolRegistry, bus: MessageBus): Discovery {
  const closing = new AbortController();
  const { command, callCommand } = engine.project.parameters.discovery;
  if (command && !callCommand)
    engine.project.notice('tools.discoveryCommand has no effect without tools.callCommand.');
  registry.addSource(discoveredTools(engine, bus, closing.signal));
  let discovering = registry.discoverAllTools();
  let commands = commandsOf(engine);
  return {
    ready: () => discovering,
    refresh: () => {
      const next = commandsOf(engine);
      if (next?.discover === commands?.discover && next?.call === commands?.call) return;
      commands = next;
      for (const name of registry.getAllToolNames())
        if (name.startsWith(DISCOVERED_PREFIX)) registry.unregisterTool(name);
      discovering = discovering.then(() => registry.discoverAllTools());
    },
    close: () => closing.abort(),
  };
}

export function discoveredTools(engine: Engine, bus: MessageBus, signal: AbortSignal): DiscoveredSource {
  return new DiscoveredSource(discoveryHostOf(engine), bus, signal, engine.project.notice);
}

function discoveryHostOf(engine: Engine): DiscoveryHost {
  const { project, targetDir, environment, shellSettings } = engine;
  return {
    getDiscoveryCommands: () => commandsOf(engine),
    getTargetDir: () => targetDir,
    getCommandEnvironment: () =>
      shellEnvironment({
        parent: environment.variables,
        settings: shellSettings,
        isTrustedFolder: project.isTrusted,
      }),
    getCallLimitMs: () => Math.max(0, shellSettings.inactivityTimeoutSeconds) * 1000,
  };
}

/** Undefined also when only one of the two is set: no tool could be found or called. */
function commandsOf({ project }: Engine): { discover: string; call: string } | undefined {
  const { command, callCommand } = project.parameters.discovery;
  const isOn = isAllowed('discovered_tools', { trusted: project.isTrusted });
  return isOn && command?.trim() && callCommand?.trim()
    ? { discover: command, call: callCommand }
    : undefined;
}
