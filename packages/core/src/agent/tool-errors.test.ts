/** Where an error goes that a tool throws, as tools of the SDK may: to the model, unless it ends the program. */
import { afterEach, expect, it } from 'vitest';
import { DeveloperError, FatalConfigError, ModelError, UserError } from '../base/errors.js';
import { setLogSink } from '../platform/log.js';
import { ToolCallError, ToolErrorType } from '../tools/tool-error.js';
import type { HookPorts } from './hook-ports.js';
import { callOf, only, result, SessionRig } from './session-rig.test-helper.js';

afterEach(() => setLogSink(undefined));

async function runTool(thrown: unknown, hooks: HookPorts = {}) {
  const logged: unknown[] = [];
  setLogSink((_level, area, _message, data) => {
    if (area === 'tools') logged.push(data);
  });
  const rig = new SessionRig({
    hooks,
    answers: [{ calls: ['broken', 'sound'].map((name) => ({ name, args: {} })) }, 'I see.'],
    tools: {
      broken: () => {
        throw thrown;
      },
      sound: () => result('done'),
    },
  });
  const events = await rig.send();
  const [end] = only(events, 'turn_finished');
  const failures = only(events, 'tool_finished').map(({ call }) => call.response.error);
  return { rig, end, failures, logged };
}

it.each([
  ['a plain error', new Error('no luck'), ToolErrorType.UNHANDLED_EXCEPTION, 1],
  ['an internal error', new DeveloperError('no luck'), ToolErrorType.UNHANDLED_EXCEPTION, 1],
  ['an error for the model', new ModelError('no luck'), ToolErrorType.UNHANDLED_EXCEPTION, 0],
  ['an error for the user', new UserError('no luck'), ToolErrorType.UNHANDLED_EXCEPTION, 0],
  ['a refused call', new ToolCallError(ToolErrorType.FILE_TOO_LARGE, 'no luck'), 'file_too_large', 0],
])('%s is the answer to the call, and the model continues', async (_what, error, type, stacks) => {
  const { rig, end, failures, logged } = await runTool(error);
  expect(failures).toEqual([{ message: 'no luck', type }, undefined]);
  expect(end).toMatchObject({ reason: 'completed' });
  expect(rig.history().at(-1)).toBe('model: I see.');
  expect(logged).toEqual(stacks ? [error] : []);
});

it.each([
  ['without hooks', {}],
  ['with a hook that would change the result', { afterTool: async () => ({ context: 'never mind' }) }],
])('a fatal error ends the request once every call has its answer, %s', async (_how, hooks) => {
  const { rig, end, failures } = await runTool(new FatalConfigError('The settings are broken.'), hooks);
  expect(failures).toMatchObject([
    { message: 'The settings are broken.', type: ToolErrorType.STOP_EXECUTION },
    { message: expect.stringContaining('[Operation Cancelled]') },
  ]);
  expect(end).toMatchObject({
    reason: 'error',
    error: { type: 'FatalConfigError', message: 'The settings are broken.', code: 52, exitCode: 52 },
  });
  expect(rig.history().at(-1)).toBe('user: result broken + result sound');
});

it('a fatal error while a call is approved ends the request with its exit code', async () => {
  const beforeTool = async () => {
    throw new FatalConfigError('The settings are broken.');
  };
  const { rig, end, failures } = await runTool(new Error('never runs'), { beforeTool });
  expect(failures).toMatchObject([
    { message: 'The settings are broken.', type: ToolErrorType.STOP_EXECUTION },
    { message: expect.stringContaining('[Operation Cancelled]') },
  ]);
  expect(end).toMatchObject({ reason: 'error', error: { type: 'FatalConfigError', exitCode: 52 } });
  expect(rig.history().at(-1)).toBe('user: result broken + result sound');
});

it('the request after a fatal error starts anew', async () => {
  const works = [
    () => {
      throw new FatalConfigError('The settings are broken.');
    },
    () => result('done'),
  ];
  const rig = new SessionRig({
    answers: [callOf('work'), callOf('work'), 'Done.'],
    tools: { work: () => (works.shift() ?? (() => result('done')))() },
  });
  expect(only(await rig.send(), 'turn_finished')).toMatchObject([{ reason: 'error' }]);
  expect(only(await rig.send('again'), 'turn_finished')).toMatchObject([{ reason: 'completed' }]);
});
