/** Warns about entries of `tools.exclude` and `tools.confirmationRequired` that restrict nothing. */
import { nearestNames } from '../../base/nearest.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import { toolsInDefaultRules } from '../default-rules.js';
import { type PolicyLists, readEntry } from '../rules/settings-rules.js';

/** @param toolNames of the built-in tools */
export function listWarnings(lists: PolicyLists, toolNames: readonly string[]): string[] {
  if (!lists.excludedTools?.length && !lists.confirmationRequired?.length) return [];
  const known = [...new Set([...toolNames, ...toolsInDefaultRules()])];
  const restricting: [string, readonly string[] | undefined][] = [
    ['tools.exclude', lists.excludedTools],
    ['tools.confirmationRequired', lists.confirmationRequired],
  ];
  return restricting.flatMap(([setting, entries = []]) =>
    entries.flatMap((entry) => {
      const problem = entryProblem(entry, known);
      return problem === undefined ? [] : [`Security: ${setting} in settings.json: ${problem}`];
    }),
  );
}

function entryProblem(entry: string, known: readonly string[]): string | undefined {
  const { name, prefix } = readEntry(entry);
  if (prefix !== undefined && name !== RUN_SHELL_COMMAND)
    return `"${entry}" counts for all of ${name}: only ${RUN_SHELL_COMMAND} can be limited to some commands.`;
  // Tools of MCP servers and of the project are not registered yet.
  if (known.includes(name) || /[*]|^mcp_|^discovered_tool_/.test(name)) return undefined;
  const [near] = nearestNames(name, known, 1, 3);
  return `there is no tool "${name}", so this restricts nothing.${near ? ` Did you mean "${near}"?` : ''}`;
}
