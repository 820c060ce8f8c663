/**
 * The names of the seed documents, each with its signature. consumer.test.ts compiles this file against the packed
 * package; nothing in it runs.
 */
import * as core from '@gemini-cli/core';

/** `value` has at least the members of `Shape`, which a seed document prints. */
declare function has<Shape>(value: Shape): void;
/** The type exists; whatever else it holds is checked where it is used. */
declare function exists<_Type>(): void;

type Awaitable<T> = T | Promise<T>;

export function hub(config: core.Config, registry: core.ToolRegistry): void {
  has<{
    initialize(): Promise<void>;
    getToolRegistry(): core.ToolRegistry;
    getPolicyEngine(): core.PolicyEngine;
    getMessageBus(): core.MessageBus;
    getGeminiClient(): core.GeminiClient;
    getTargetDir(): string;
    getApprovalMode(): core.ApprovalMode;
    getModel(): string;
    isTrustedFolder(): boolean;
    getDebugMode(): boolean;
    isPathAllowed(path: string): boolean;
    validatePathAccess(path: string): string | null;
    setSessionId(id: string): void;
    getSessionId(): string;
    getCoreTools(): string[] | undefined;
    getWorkspaceContext(): core.WorkspaceContext;
    getFileSystemService(): core.FileSystemService;
    getFileService(): core.FileDiscoveryService;
    getFileFilteringOptions(): core.FileFilteringOptions;
    getExperimentalDynamicModelConfiguration(): boolean;
    refreshUserQuota(): Promise<unknown>;
    storage: core.Storage;
  }>(config);
  has<{
    registerTool(tool: core.AnyDeclarativeTool): void;
    unregisterTool(name: string): void;
    getTool(name: string): core.AnyDeclarativeTool | undefined;
    getAllTools(): core.AnyDeclarativeTool[];
    getFunctionDeclarations(): { name: string }[];
    sortTools(): void;
  }>(registry);
  const parameters: Required<
    Pick<core.ConfigParameters, 'sessionId' | 'targetDir' | 'debugMode' | 'model' | 'coreTools'>
  > &
    core.ConfigParameters = {
    sessionId: 'id',
    targetDir: '/project',
    debugMode: false,
    model: 'auto',
    interactive: false,
    coreTools: [],
    allowedTools: [],
    excludeTools: [],
    approvalMode: core.ApprovalMode.DEFAULT,
    checkpointing: false,
  };
  has<(parameters: core.ConfigParameters) => core.Config>((given) => new core.Config(given ?? parameters));
  has<core.OutputSettings>({ format: 'json' });
  has<core.SandboxConfig>({ command: 'docker', image: 'sandbox', allowedPaths: [], networkAccess: true });
  exists<core.TelemetrySettings>();
  core.debugLogger.debug('text', { context: 'data' });
  core.debugLogger.log('text');
  core.debugLogger.warn('text');
  core.debugLogger.error('text', new Error('why'));
}

export async function client(gemini: core.GeminiClient, turn: core.Turn): Promise<void> {
  has<{
    initialize(): Promise<void>;
    sendMessageStream(message: string, options?: core.SendMessageOptions): AsyncGenerator<core.TurnEvent>;
    processTurn(turn: core.Turn, signal: AbortSignal): Promise<core.TurnResult>;
    resetChat(): Promise<void>;
    setTools(): Promise<void>;
    isInitialized(): boolean;
    getChat(): core.GeminiChat;
  }>(gemini);
  has<{ getHistory(): readonly core.Content[] }>(gemini.getChat());
  for await (const event of gemini.sendMessageStream('Hello')) {
    if (event.type === 'text') has<string>(event.content);
    if (event.type === 'tool_call') has<string>(event.request.name);
    if (event.type === 'error') has<string>(event.error.message);
  }
  has<Promise<core.TurnResult>>(gemini.processTurn(turn, new AbortController().signal));
  exists<core.ContentGenerator>();
  exists<core.AgentSession>();
  exists<core.Scheduler>();
  exists<core.ToolExecutor>();
  const scheduler = new core.AgentScheduler();
  has<() => void>(scheduler.register({ name: 'a', run: async ({ payload }) => payload }));
  const { signal } = new AbortController();
  const results = await scheduler.sequential([{ agent: 'a', payload: 1 }], signal);
  has<core.AgentTaskResult[]>(await scheduler.parallel([{ capability: 'b', payload: 1 }], signal));
  has<{ payloads: unknown[]; failures: { agent: string; error: string }[] }>(scheduler.aggregate(results));
  has<core.AgentMessage>({
    id: '1',
    type: 'request',
    sender: 'a',
    receiver: 'b',
    payload: null,
    timestamp: 0,
  });
}

interface EchoParams {
  text: string;
}

class EchoInvocation extends core.BaseToolInvocation<EchoParams, core.ToolResult> {
  getDescription(): string {
    return this.params.text;
  }

  override async execute(
    _signal: AbortSignal,
    updateOutput?: (output: string | core.AnsiOutput) => void,
  ): Promise<core.ToolResult> {
    updateOutput?.(this.params.text);
    return { llmContent: this.params.text, returnDisplay: this.params.text };
  }

  protected override getPolicyUpdateOptions(
    _outcome: core.ToolConfirmationOutcome,
  ): core.PolicyUpdateOptions | undefined {
    return { commandPrefix: ['echo'], toolName: this._toolName, argsPattern: this._toolDisplayName };
  }

  protected override async getConfirmationDetails(
    signal: AbortSignal,
  ): Promise<core.ToolCallConfirmationDetails | false> {
    const decision: core.PolicyDecision = await this.getMessageBusDecision(signal);
    if (decision === core.PolicyDecision.ALLOW) return false;
    const onConfirm = (outcome: core.ToolConfirmationOutcome) => this.publishPolicyUpdate(outcome);
    return { type: 'info', title: 'Echo', prompt: this.getDescription(), urls: [], onConfirm };
  }
}

export class EchoTool extends core.BaseDeclarativeTool<EchoParams, core.ToolResult> {
  static readonly Name = 'echo';

  constructor(messageBus: core.MessageBus) {
    const schema = { type: 'object', properties: { text: { type: 'string' } } } as const;
    super(EchoTool.Name, 'Echo', 'Repeats a text.', core.Kind.Other, schema, messageBus, true, false);
  }

  override validateToolParams(params: EchoParams): string | null {
    const schema = { type: 'object' } as const;
    return core.SchemaValidator.validate(schema, params) ?? this.validateToolParamValues(params);
  }

  protected createInvocation(
    params: EchoParams,
    messageBus: core.MessageBus,
    toolName?: string,
    toolDisplayName?: string,
  ): core.ToolInvocation<EchoParams, core.ToolResult> {
    return new EchoInvocation(params, messageBus, toolName, toolDisplayName);
  }
}

export function tools(tool: EchoTool, bus: core.MessageBus): void {
  has<core.ToolBuilder<EchoParams, core.ToolResult>>(tool);
  has<core.DeclarativeTool<EchoParams, core.ToolResult>>(tool);
  has<core.AnyDeclarativeTool>(tool);
  const invocation = new EchoInvocation({ text: 'a' }, bus);
  has<core.ToolInvocation<EchoParams, core.ToolResult>>(invocation);
  has<{
    params: EchoParams;
    getDescription(): string;
    toolLocations(): core.ToolLocation[];
    shouldConfirmExecute(signal: AbortSignal): Promise<core.ToolCallConfirmationDetails | false>;
  }>(invocation);
  const { Read, Edit, Delete, Move, Search, Execute, Think, Fetch, Communicate, Other } = core.Kind;
  has<readonly core.Kind[]>([Read, Edit, Delete, Move, Search, Execute, Think, Fetch, Communicate, Other]);
  has<readonly core.Kind[]>(core.MUTATOR_KINDS);
  const diff: core.FileDiff = {
    fileDiff: '',
    fileName: 'a',
    filePath: '/a',
    originalContent: null,
    newContent: '',
    isNewFile: true,
  };
  const todos: core.TodoList = { todos: [{ description: 'a', status: 'in_progress' }] };
  has<core.ToolResultDisplay[]>(['text', diff, todos]);
  exists<core.DiffStat>();
  exists<core.Todo>();
  exists<core.AnsiOutput>();
  has<core.ToolResult['error']>({ message: 'no', type: core.ToolErrorType.FILE_NOT_FOUND });
  has<readonly { readonly Name: string }[]>([
    core.LSTool,
    core.ReadFileTool,
    core.ReadManyFilesTool,
    core.GrepTool,
    core.GlobTool,
    core.EditTool,
    core.WriteFileTool,
    core.WebFetchTool,
    core.WebSearchTool,
    core.ShellTool,
    core.MemoryTool,
    core.WriteTodosTool,
    core.AskUserTool,
    core.EnterPlanModeTool,
    core.ExitPlanModeTool,
    core.GetInternalDocsTool,
  ]);
}

export async function confirmation(bus: core.MessageBus, engine: core.PolicyEngine): Promise<void> {
  const onConfirm = async (
    _outcome: core.ToolConfirmationOutcome,
    _payload?: core.ToolConfirmationPayload,
  ) => {};
  const edit: core.ToolEditConfirmationDetails = {
    type: 'edit',
    title: '',
    fileName: '',
    filePath: '',
    fileDiff: '',
    originalContent: null,
    newContent: '',
    onConfirm,
    ideConfirmation: Promise.resolve<core.DiffUpdateResult>({ status: 'accepted', content: '' }),
  };
  const exec: core.ToolExecuteConfirmationDetails = {
    type: 'exec',
    title: '',
    command: '',
    rootCommand: '',
    rootCommands: [],
    onConfirm,
  };
  const mcp: core.ToolMcpConfirmationDetails = {
    type: 'mcp',
    title: '',
    serverName: '',
    toolName: '',
    toolDisplayName: '',
    onConfirm,
  };
  const info: core.ToolInfoConfirmationDetails = { type: 'info', title: '', prompt: '', onConfirm };
  has<core.ToolCallConfirmationDetails[]>([edit, exec, mcp, info]);
  const outcomes = core.ToolConfirmationOutcome;
  has<Record<string, string>>({
    [outcomes.ProceedOnce]: 'proceed_once' satisfies `${core.ToolConfirmationOutcome.ProceedOnce}`,
    [outcomes.ProceedAlways]: 'proceed_always' satisfies `${core.ToolConfirmationOutcome.ProceedAlways}`,
    [outcomes.ProceedAlwaysAndSave]: '',
    [outcomes.ProceedAlwaysServer]: '',
    [outcomes.ProceedAlwaysTool]: '',
    [outcomes.ModifyWithEditor]: '',
    [outcomes.Cancel]: '',
  });
  bus.subscribe(core.MessageBusType.TOOL_CONFIRMATION_REQUEST, ({ correlationId }) => {
    const type = core.MessageBusType.TOOL_CONFIRMATION_RESPONSE;
    bus.publish({ type, correlationId, confirmed: true });
  });
  has<core.PolicyDecision>(await engine.evaluate({ name: 'read_file', args: {} }));
  const { DEFAULT, AUTO_EDIT, YOLO, PLAN } = core.ApprovalMode;
  has<core.ApprovalMode[]>([DEFAULT, AUTO_EDIT, YOLO, PLAN]);
  const [first] = core.resolvePolicyChain({ getModel: () => 'auto' });
  has<string | undefined>(first?.model);
  exists<Pick<core.DiscoveryResults, 'discoveryErrors' | 'securityWarnings' | 'loadedPolicies'>>();
}

export async function sessions(
  config: core.Config,
  record: core.ConversationRecord,
  recording: core.ChatRecordingService,
): Promise<void> {
  has<{
    sessionId: string;
    projectHash: string;
    startTime: string;
    lastUpdated: string;
    summary?: string;
    memoryScratchpad?: unknown;
    memoryScratchpadIsStale?: boolean;
    directories?: string[];
    kind: string;
    messages: unknown[];
    messageCount: number;
    userMessageCount: number;
    firstUserMessage?: string;
    hasUserOrAssistantMessage: boolean;
  }>(record);
  const selector = new core.SessionSelector(config);
  has<core.SessionInfo[]>(await selector.listSessions());
  const info: core.SessionInfo = await selector.findSession('1');
  has<{ id: string; file: string; fileName: string; displayName: string; index: number }>(info);
  has<core.TextMatch[] | undefined>(info.matchSnippets);
  const selected: core.SessionSelectionResult = await selector.resolveSession('latest');
  has<{ sessionPath: string; sessionData: core.ConversationRecord; displayInfo: string }>(selected);
  const error: core.SessionError = core.SessionError.invalidSessionIdentifier('x');
  const codes: core.SessionErrorCode[] = ['NO_SESSIONS_FOUND', 'INVALID_SESSION_IDENTIFIER', error.code];
  has<string[]>(codes);
  const { uiHistory, clientHistory } = core.convertSessionToHistoryFormats(record.messages);
  has<unknown[]>(uiHistory);
  has<string>(core.createSessionId());
  has<core.ConversationRecord>(core.loadSession('/file'));
  has<(record: core.ConversationRecord, writing: never) => { path: string }>(core.saveSession);
  has<(session: core.SessionInfo, places: never) => Awaitable<void>>(core.deleteSession);
  has<(record: core.ConversationRecord, redact: <T>(value: T) => T) => string>(core.exportSession);
  has<(places: never) => core.SessionInfo[]>(core.listSessions);
  await core.exportHistoryToFile({ history: clientHistory, filePath: '/tmp/history.json' });
  has<string>(recording.sessionId);
}

export function context(
  workspace: core.WorkspaceContext,
  storage: core.Storage,
  message: core.Message,
): void {
  has<unknown>(new core.ContextGraphBuilder().build([message]).turns);
  has<string>(core.getStableId(message, new WeakMap(), 'hash_1', 0));
  has<{ isPathWithinWorkspace(path: string): boolean; getDirectories(): readonly string[] }>(workspace);
  has<string>(storage.getProjectTempDir());
  exists<core.ContextManager>();
  exists<core.MemoryContextManager>();
  exists<core.ChatCompressionService>();
  exists<core.RollingSummaryProcessor>();
}

export function sandbox(...managers: core.SandboxManager[]): void {
  has<(manager: core.LinuxSandboxManager) => core.SandboxManager>((manager) => manager ?? managers[0]);
  has<(manager: core.MacOsSandboxManager) => core.SandboxManager>((manager) => manager);
  has<(manager: core.WindowsSandboxManager) => core.SandboxManager>((manager) => manager);
}

/** What the hub and its registry do about tools, modes and folders. */
export function registries(config: core.Config, registry: core.ToolRegistry): void {
  has<{
    createToolRegistry(): Promise<core.ToolRegistry>;
    isYoloModeDisabled(): boolean;
    getPendingIncludeDirectories(): string[];
    clearPendingIncludeDirectories(): void;
  }>(config);
  has<{ discoverAllTools(): Promise<void> }>(registry);
}
