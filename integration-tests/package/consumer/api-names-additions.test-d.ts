/** The names of what adds to the engine (hooks, skills, MCP servers, extensions, agents), as in `api-names.test-d.ts`. */
import * as core from '@gemini-cli/core';

/** `value` has at least the members of `Shape`, which a seed document prints. */
declare function has<Shape>(value: Shape): void;
/** The type exists; whatever else it holds is checked where it is used. */
declare function exists<_Type>(): void;

export async function hooks(
  config: core.Config,
  registry: core.HookRegistry,
  runner: core.HookRunner,
  input: core.HookInput,
): Promise<void> {
  has<core.HookSystem | undefined>(config.getHookSystem());
  has<{ BeforeTool: string; SessionEnd: string }>(core.HookEventName);
  has<{ Project: string; User: string; System: string; Extensions: string }>(core.ConfigSource);
  has<number>(registry.getSourcePriority(core.ConfigSource.Project));
  const hook: core.CommandHookConfig = {
    type: 'command',
    command: 'true',
    name: 'guard',
    timeout: 1000,
    source: core.ConfigSource.User,
  };
  const event = core.HookEventName.BeforeTool;
  has<core.HookExecutionResult>(await runner.executeHook(hook, event, input));
  has<core.HookExecutionResult[]>(await runner.executeHooksParallel([hook], event, input));
  has<core.HookExecutionResult[]>(await runner.executeHooksSequential([hook], event, input));
  has<core.HookOutput | undefined>(await config.getHookSystem()?.fireSessionStartEvent('startup'));
  has<core.HookDefinition>({ matcher: 'write_.*', sequential: true, hooks: [hook] });
  has<core.HookDecision[]>(['ask', 'block', 'deny', 'approve', 'allow']);
  has<core.HookOutput>({
    continue: false,
    stopReason: '',
    suppressOutput: true,
    decision: 'deny',
    reason: '',
  });
  exists<core.BeforeToolInput & core.HookInput>();
  exists<core.SessionStartSource | core.SessionEndReason>();
}

export function skills(config: core.Config, storage: core.Storage): void {
  has<{
    name: string;
    description: string;
    location: string;
    body: string;
    disabled?: boolean;
    isBuiltin?: boolean;
    extensionName?: string;
  }>({} as core.SkillDefinition);
  const manager = config.getSkillManager();
  has<core.SkillManager>(manager);
  has<Promise<unknown>>(manager.loadSkills());
  has<Promise<unknown>>(manager.discoverSkills(storage, []));
  has<core.SkillDefinition[]>(manager.getActiveSkills());
  has<core.SkillDefinition[]>(manager.getSkills());
  has<core.SkillDefinition | undefined>(manager.getSkillByName('a'));
  has<core.SkillDefinition | null>(manager.getSkill('a'));
  manager.enableSkill('a');
  manager.disableSkill('a');
  manager.setDisabledSkills(['a']);
  has<Promise<core.SkillDefinition[]>>(core.loadSkillsFromDir('dir'));
  has<Promise<core.SkillDefinition | null>>(core.loadSkillFromFile('file'));
}

/** MCP servers: configuration, connections and tools. */
export function mcpNames(config: core.Config): void {
  has<core.McpClientManager | undefined>(config.getMcpClientManager());
  has<{ command?: string; args?: string[]; trust?: boolean; oauth?: core.MCPOAuthConfig }>(
    new core.MCPServerConfig(
      'node',
      ['server.js'],
      { KEY: 'x' },
      '.',
      undefined,
      'http',
      undefined,
      1000,
      true,
    ),
  );
  has<core.FunctionDeclaration>(core.convertMcpToolToFunctionDeclaration({ name: 'x' }));
  exists<core.McpClient & core.McpToolWrapper>();
}

export function extensionNames(extension: core.GeminiCLIExtension): void {
  has<{
    name: string;
    version: string;
    isActive: boolean;
    path: string;
    contextFiles: readonly string[];
    installMetadata?: core.ExtensionInstallMetadata;
    settings?: readonly core.ExtensionSetting[];
    resolvedSettings?: readonly core.ResolvedExtensionSetting[];
  }>(extension);
  has<core.ExtensionUpdateStatus>(core.ExtensionUpdateStatus.UpdateAvailable);
}

export function agents(config: core.Config, definition: core.LocalAgentDefinition): void {
  const registry = config.getAgentRegistry();
  has<core.AgentRegistry>(registry);
  registry.registerAgent(definition);
  has<core.AgentDefinition | undefined>(registry.getAgent('a'));
  has<core.AgentDefinition[]>(registry.getAllAgents());
  has<Promise<core.LocalAgentExecutor>>(config.getAgentCaller().executorFor(definition));
  has<(executor: core.LocalAgentExecutor, signal: AbortSignal) => Promise<core.OutputObject>>(
    (executor, signal) => executor.run({ query: 'x' }, signal),
  );
  has<string>(registry.getModelConfigAlias(definition));
  has<core.AgentTerminateMode>(core.AgentTerminateMode.GOAL);
  exists<core.RemoteAgentDefinition>();
}
