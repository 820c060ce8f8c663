/** `hook()`: a function of the program at an event of the agent. */
import type { SessionContext } from '../context/types.js';
import type { HookEvent, HookEventMap } from './event-map.js';

export interface HookDefinition<E extends HookEvent> {
  event: E;
  /** In lists, messages and `hooksConfig.disabled`. */
  name: string;
  /** Tool names as a regular expression, or an exact source, reason or trigger. Absent: all. */
  matcher?: string;
  /** All hooks of this event run one after the other, each with the changes of those before it. */
  sequential?: boolean;
  /** Milliseconds, default 60000. */
  timeout?: number;
  description?: string;
}

export type HookAction<E extends HookEvent> = (
  payload: HookEventMap[E]['in'],
  ctx: SessionContext,
) => HookEventMap[E]['out'] | Promise<HookEventMap[E]['out']>;

/** A hook, whatever its event. */
export interface AnyHook {
  readonly definition: Readonly<HookDefinition<HookEvent>>;
  /** @param input as command hooks get it; @returns the result with the names of command hooks */
  runOnWire(
    input: Readonly<Record<string, unknown>>,
    ctx: SessionContext,
  ): Promise<Record<string, unknown> | undefined>;
}

export interface Hook<E extends HookEvent = HookEvent> extends AnyHook {
  readonly definition: Readonly<HookDefinition<E>>;
  run(payload: HookEventMap[E]['in'], ctx: SessionContext): Promise<HookEventMap[E]['out']>;
  /** Serves as a command hook of settings.json: JSON from stdin, the result to stdout, and the exit code. */
  runAsCommand(io?: HookCommandIo): Promise<void>;
}

/** Default: the streams of the process. */
export interface HookCommandIo {
  stdin?: AsyncIterable<Uint8Array | string>;
  stdout?: { write(text: string): unknown };
  stderr?: { write(text: string): unknown };
}

/** @throws TypeError for an event that does not exist */
export function hook<E extends HookEvent>(definition: HookDefinition<E>, action: HookAction<E>): Hook<E> {
  if (!Object.hasOwn(EVENTS, definition.event))
    throw new TypeError(`hook(): there is no event "${String(definition.event)}".`);
  if (!definition.name) throw new TypeError('hook(): "name" is missing.');
  if (typeof action !== 'function') throw new TypeError(`hook("${definition.name}"): the action is missing.`);
  const run: Hook<E>['run'] = async (payload, ctx) => action(payload, ctx);
  return {
    definition,
    run,
    runOnWire: async (input, ctx) => {
      const { toPayload, toWire } = await import('./wire.js');
      return toWire(definition.event, await run(toPayload<E>(input), ctx));
    },
    runAsCommand: async (io) => {
      const { runAsCommand } = await import('./run-as-command.js');
      await runAsCommand(definition, run, io);
    },
  };
}

const EVENTS: Readonly<Record<HookEvent, true>> = {
  BeforeTool: true,
  AfterTool: true,
  BeforeAgent: true,
  AfterAgent: true,
  BeforeModel: true,
  AfterModel: true,
  BeforeToolSelection: true,
  SessionStart: true,
  SessionEnd: true,
  PreCompress: true,
  Notification: true,
};
