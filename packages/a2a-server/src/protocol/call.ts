/**
 * What the HTTP layer and the request handler tell each other about one call, beside the library's interface: the
 * library's transports pass events on one by one, so the place of the last one is known when it is written.
 */
import { ServerCallContext } from '@a2a-js/sdk/server';
import type { TaskEvent } from '../contract.js';
import type { HttpError } from '../http/http-error.js';
import type { ProtocolVersion } from './version.js';

export interface Call {
  version: ProtocolVersion;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
  /** Of a client that resumes a stream. */
  lastEventId?: string;
  /** Of the event that was yielded last; undefined: it is not of the task's log. */
  place?: Pick<TaskEvent, 'id' | 'isLast'>;
  /** What the call failed with, where HTTP has a status of its own for it. */
  refusal?: HttpError;
}

const KEY = 'coder-agent-call';

export function contextOf(call: Call): ServerCallContext {
  return new ServerCallContext({ requestedVersion: call.version, state: new Map([[KEY, call]]) });
}

export function callOf(context: ServerCallContext): Call {
  return context.state.get(KEY) as Call;
}
