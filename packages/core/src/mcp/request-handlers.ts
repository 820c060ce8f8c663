/** What servers may ask this program: roots, input of the user, model answers; and what they report. */
import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  Root,
} from '@modelcontextprotocol/client';
import type { ResolvedServer } from './config.js';

/** Each function is announced as a capability while it is set; absent ones are not offered to servers. */
export interface ServerRequestHandlers {
  roots?(server: ResolvedServer): Promise<Root[]>;
  elicit?(server: ResolvedServer, params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult>;
  /** The kinds of input that `elicit` can ask for. Absent: forms. */
  elicitation?: ClientCapabilities['elicitation'];
  sample?(
    server: ResolvedServer,
    params: CreateMessageRequestParams,
    signal: AbortSignal,
  ): Promise<CreateMessageResult>;
  log?(server: ResolvedServer, entry: { level: string; logger?: string; data: unknown }): void;
}

export function capabilitiesOf({
  roots,
  elicit,
  elicitation,
  sample,
}: ServerRequestHandlers): ClientCapabilities {
  return {
    ...(roots && { roots: { listChanged: true } }),
    ...(elicit && { elicitation: elicitation ?? {} }),
    ...(sample && { sampling: {} }),
  };
}
