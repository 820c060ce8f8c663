/** Collects the facts about a call and its session that rules are matched against. */
import type { DecisionContext } from '../../bus/message-bus.js';
import type { ApprovalMode } from '../../protocol/confirmation.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import type { CallFacts } from './rule-match.js';
import { stableJson } from './stable-json.js';

export function callFacts(
  toolName: string,
  args: Readonly<Record<string, unknown>>,
  { serverName, serverToolName, isAgentServer, subagent, toolAnnotations }: DecisionContext,
  session: { mode: ApprovalMode; interactive: boolean },
  /** The real path of a path in the arguments. */
  realPath: (path: string) => string,
): CallFacts {
  const agentName = args['agent_name'];
  let json: string | undefined;
  return {
    toolName,
    serverName,
    serverToolName,
    isAgentServer,
    agentName: toolName === 'invoke_agent' && typeof agentName === 'string' ? agentName : undefined,
    ...session,
    subagent,
    annotations: toolAnnotations,
    // Made on demand: most rules do not look at the arguments.
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

/** The path that a rule's `path` is compared with; for a command, the folder it runs in. */
function pathIn(toolName: string, args: Readonly<Record<string, unknown>>): string | undefined {
  const isCommand = toolName === RUN_SHELL_COMMAND;
  const path = isCommand ? (args['dir_path'] ?? '.') : (args['file_path'] ?? args['dir_path']);
  return typeof path === 'string' ? path : undefined;
}
