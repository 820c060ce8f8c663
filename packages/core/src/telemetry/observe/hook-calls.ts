/** Records every call of a hook. */
import { messageOf } from '../../base/errors.js';
import { objectOf } from '../../base/objects.js';
import { JsonText, type TelemetryRecorder } from '../record.js';

export interface HookCallOptions {
  recorder: TelemetryRecorder;
  now: () => number;
}

/** @param hooks one optional function per event; the result behaves the same */
export function observeHooks<Ports extends object>(hooks: Ports, options: HookCallOptions): Ports {
  return new Proxy(hooks, {
    get(target, port) {
      const hook: unknown = Reflect.get(target, port);
      if (typeof hook !== 'function' || typeof port !== 'string') return hook;
      return (input: unknown) => observed(port, hook, () => Reflect.apply(hook, target, [input]), input);
    },
  });

  async function observed(port: string, hook: object, call: () => unknown, input: unknown) {
    const started = options.now();
    try {
      const effect = await call();
      record(port, hook, { input, started, effect });
      return effect;
    } catch (error) {
      record(port, hook, { input, started, problem: messageOf(error) });
      throw error;
    }
  }

  function record(port: string, hook: object, call: HookCall): void {
    const event = `${port.charAt(0).toUpperCase()}${port.slice(1)}`;
    const { signal: _, ...input } = objectOf(call.input);
    options.recorder.event('gemini_cli.hook_call', {
      hook_event_name: event,
      hook_type: 'runtime',
      hook_name: 'name' in hook && typeof hook.name === 'string' && hook.name !== '' ? hook.name : event,
      duration_ms: options.now() - call.started,
      success: call.problem === undefined,
      hook_input: new JsonText(() => input),
      hook_output: new JsonText(() => call.effect ?? {}),
      stdout: '',
      stderr: call.problem ?? '',
    });
  }
}

interface HookCall {
  input: unknown;
  started: number;
  effect?: unknown;
  problem?: string;
}
