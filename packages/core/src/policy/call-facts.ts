/** What rules are compared with: the call, and the session it comes from. */
import type { DecisionContext } from '../bus/message-bus.js';
import type { ApprovalMode } from '../protocol/confirmation.js';
import type { CallFacts } from './rule-match.js';
import { stableJson } from './stable-json.js';

export function callFacts(
  toolName: string,
  args: Readonly<Record<string, unknown>>,
  { serverName, subagent, toolAnnotations }: DecisionContext,
  session: { mode: ApprovalMode; interactive: boolean },
): CallFacts {
  const agentName = args['agent_name'];
  let json: string | undefined;
  return {
    toolName,
    serverName,
    agentName: toolName === 'invoke_agent' && typeof agentName === 'string' ? agentName : undefined,
    ...session,
    subagent,
    annotations: toolAnnotations,
    // Most rules do not look at the arguments.
    argsJson: () => {
      json ??= stableJson(args);
      return json;
    },
    commandTexts: [],
    allowTexts: [],
  };
}
