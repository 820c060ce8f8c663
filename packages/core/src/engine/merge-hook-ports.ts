/** Two sets of hook functions as one: those of a program first, then the configured ones, which see the changes. */
import type { HookPorts } from '../agent/hook-ports.js';

const PORTS: readonly (keyof HookPorts)[] = [
  'sessionStart',
  'sessionEnd',
  'beforeAgent',
  'afterAgent',
  'beforeModel',
  'beforeToolSelection',
  'afterModel',
  'beforeTool',
  'afterTool',
  'preCompress',
  'notification',
];

/** Each function is looked up when its event happens, because hooks come and go during a session. */
export function lookedUp(find: <P extends keyof HookPorts>(port: P) => HookPorts[P]): HookPorts {
  const ports: HookPorts = {};
  for (const port of PORTS) Object.defineProperty(ports, port, { get: () => find(port), enumerable: true });
  return ports;
}

export function mergePorts(first: HookPorts, second: HookPorts): HookPorts {
  const both = combined(first, second);
  return lookedUp((port) => (first[port] && second[port] ? both[port] : (first[port] ?? second[port])));
}

/** A refusal or a stop of the first is final; else the second sees what the first has changed. */
function combined(first: HookPorts, second: HookPorts): Required<HookPorts> {
  return {
    sessionStart: async (input) => {
      const texts = [await first.sessionStart?.(input), await second.sessionStart?.(input)];
      return joinedContext(texts);
    },
    sessionEnd: async (input) => {
      await Promise.all([first.sessionEnd?.(input), second.sessionEnd?.(input)]);
    },
    beforeAgent: async (input) => {
      const effect = await first.beforeAgent?.(input);
      if (isFinal(effect)) return effect;
      const next = await second.beforeAgent?.(input);
      return { ...effect, ...next, ...joinedContext([effect, next]) };
    },
    afterAgent: async (input) => {
      const effect = await first.afterAgent?.(input);
      if (effect?.stop !== undefined || effect?.retry !== undefined) return effect;
      return { ...effect, ...(await second.afterAgent?.(input)) };
    },
    beforeModel: async (input) => {
      const effect = await first.beforeModel?.(input);
      if (isFinal(effect) || effect?.response) return effect;
      const request = effect?.request ?? input.request;
      return { ...effect, ...(await second.beforeModel?.({ ...input, request })) };
    },
    beforeToolSelection: async (input) => {
      const choice = await first.beforeToolSelection?.(input);
      return (await second.beforeToolSelection?.(input)) ?? choice;
    },
    afterModel: async (input) => {
      const effect = await first.afterModel?.(input);
      if (isFinal(effect)) return effect;
      const chunk = effect?.chunk ?? input.chunk;
      return { ...effect, ...(await second.afterModel?.({ ...input, chunk })) };
    },
    beforeTool: async (input) => {
      const effect = await first.beforeTool?.(input);
      if (isFinal(effect)) return effect;
      const call = { ...input.call, args: { ...input.call.args, ...effect?.args } };
      const next = await second.beforeTool?.({ ...input, call });
      const args = { ...effect?.args, ...next?.args };
      return { ...effect, ...next, ...(Object.keys(args).length > 0 && { args }) };
    },
    afterTool: async (input) => {
      const effect = await first.afterTool?.(input);
      if (isFinal(effect)) return effect;
      const next = await second.afterTool?.(input);
      return { ...effect, ...next, ...joinedContext([effect, next]) };
    },
    preCompress: async (input) => {
      await Promise.all([first.preCompress?.(input), second.preCompress?.(input)]);
    },
    notification: async (input) => {
      await Promise.all([first.notification?.(input), second.notification?.(input)]);
    },
  };
}

function isFinal(effect: { stop?: string; deny?: string } | undefined): boolean {
  return effect?.stop !== undefined || effect?.deny !== undefined;
}

function joinedContext(effects: readonly ({ context?: string } | undefined)[]): { context?: string } {
  const texts = effects.flatMap((effect) => effect?.context ?? []);
  return texts.length > 0 ? { context: texts.join('\n') } : {};
}
