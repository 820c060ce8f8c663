/** The variables that a process with declared rights gets, beside those its extension sets. Pure. */

const SAFE =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|TZ|GEMINI_CLI|GEMINI_CLI_HOOK_CHAIN|GEMINI_(?:PROJECT_DIR|CWD|PLANS_DIR|SESSION_ID)|CLAUDE_PROJECT_DIR)$/;

export function safeVariables<Value extends string | undefined>(
  variables: Readonly<Record<string, Value>>,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => SAFE.test(name)));
}
