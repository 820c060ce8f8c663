/** What rules are compared with: the call, and the session it comes from. */
import type { DecisionContext } from '../../bus/message-bus.js';
import type { ApprovalMode } from '../../protocol/confirmation.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import type { CallFacts } from './rule-match.js';
import { stableJson } from './stable-json.js';

export function callFacts(
  toolName: string,
  args: Readonly<Record<string, unknown>>,
  { serverName, subagent, toolAnnotations }: DecisionContext,
  session: { mode: ApprovalMode; interactive: boolean },
  /** The real path of a path in the arguments. */
  realPath: (path: string) => string,
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
    path: () => {
      const path = pathIn(toolName, args);
      return path === undefined ? undefined : realPath(path);
    },
    commandTexts: [],
    allowTexts: [],
  };
}

/** What a rule with a `path` is about. A command runs in the project's folder unless it names another. */
function pathIn(toolName: string, args: Readonly<Record<string, unknown>>): string | undefined {
  const isCommand = toolName === RUN_SHELL_COMMAND;
  const path = isCommand ? (args['dir_path'] ?? '.') : (args['file_path'] ?? args['dir_path']);
  return typeof path === 'string' ? path : undefined;
}
