/** Variables of Claude Code in commands and settings of servers and hooks. */

export interface VariableContext {
  /** What the plugin's folder is here. */
  root: string;
  /** A path below the plugin's folder; `rest` is empty or begins with a slash. */
  pluginPath: (rest: string) => string;
  /** The project's folder: a variable, or `.`. */
  workspace: string;
  /** From keys of `userConfig` to names of variables. */
  settings: ReadonlyMap<string, string>;
}

/** Also with what a shell may do to it, such as `${CLAUDE_PLUGIN_ROOT:-.}` and `${CLAUDE_PLUGIN_ROOT//a/b}`. */
const ROOT =
  /(?:\$\{extensionPath\})?(?:\$(?:\{CLAUDE_PLUGIN_ROOT(?:[:%#/^,][^{}]*)?\}|(?:env:)?CLAUDE_PLUGIN_ROOT\b)|%CLAUDE_PLUGIN_ROOT%)((?:[\\/][\w.@+-]+)*[\\/]?)/g;
const NOT_SUPPLIED =
  /\bCLAUDE_(?:PLUGIN_ROOT|PLUGIN_DATA|PLUGIN_OPTION_\w+|ENV_FILE|SESSION_ID|TOOL_\w+|FILE_PATHS?)\b|\$\{?(?:TOOL_NAME|TOOL_INPUT|CLAUDE_(?:CODE_\w+|EFFORT|MODEL|HOOK_\w+|AGENT_\w+|USER_PROMPT|TRANSCRIPT_\w+))\b|\$\{user_config\.[\w.-]+/g;

/** @param losses gets what is not supplied here, each without a final dot */
export function claudeVariables(text: string, context: VariableContext, losses: string[]): string {
  const replaced = settingVariables(text, context.settings)
    .replace(/\$\{env:(\w+)\}/g, '$${$1}')
    .replace(ROOT, (_whole, rest: string) => context.pluginPath(rest.replaceAll('\\', '/')))
    .replace(/\$\{CLAUDE_PROJECT_DIR(?::-[^}]*)?\}|\$CLAUDE_PROJECT_DIR\b/g, () => context.workspace);
  losses.push(...notSupplied(replaced));
  return replaced;
}

/** `${user_config.key}` and `CLAUDE_PLUGIN_OPTION_KEY`. */
export function settingVariables(text: string, settings: ReadonlyMap<string, string>): string {
  return text
    .replace(/\$\{user_config\.([\w.-]+)\}/g, (whole, key: string) => {
      const name = settings.get(key);
      return name === undefined ? whole : `\${${name}}`;
    })
    .replace(/\bCLAUDE_PLUGIN_OPTION_(\w+)/g, (whole, written: string) => {
      const upper = written.toUpperCase();
      const found = [...settings].find(
        ([key, name]) => name === upper || key.toUpperCase().replace(/\W/g, '_') === upper,
      );
      return found ? found[1] : whole;
    });
}

/** Settings that a text of a command or skill refers to: only servers and hooks get their values. */
export function notInserted(text: string, settings: ReadonlyMap<string, string>): string[] {
  const names = [...settings].flatMap(([key, name]) => {
    const isNamed = settingVariables(text, new Map([[key, name]])) !== text;
    return isNamed ? [name] : [];
  });
  return names.length > 0
    ? [`values of settings (${names.join(', ').slice(0, 100)}) are not inserted into texts here`]
    : [];
}

/** Names in the text of a command, skill or agent, where no variable of a project is replaced either. */
export function notSuppliedInText(text: string): string[] {
  const project = /\bCLAUDE_PROJECT_DIR\b/.test(text) ? ['CLAUDE_PROJECT_DIR is not supplied here'] : [];
  return [...project, ...notSupplied(text)];
}

export function notSupplied(text: string): string[] {
  const names = new Set(Array.from(text.matchAll(NOT_SUPPLIED), ([name]) => name.replace(/^\$\{?/, '')));
  return [...names].map((name) => `${name} is not supplied here`);
}
