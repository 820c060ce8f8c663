/** The hub for programs and front ends: one-line getters over the services that `composeEngine` and `composeAgent` make. */
import type { AgentSession } from '../agent/agent-session.js';
import type { GeminiClient } from '../agent/gemini-client.js';
import type { SessionEndReason } from '../agent/hook-ports.js';
import type { AgentRuns } from '../agents/run/agent-runs.js';
import type { MessageBus } from '../bus/message-bus.js';
import { composeEngine } from '../engine/compose-engine.js';
import type { Engine } from '../engine/engine.js';
import type { CheckpointServices } from '../engine/main/compose-checkpoints.js';
import { discoveredTools } from '../engine/main/compose-discovery.js';
import { composeMainAgent, type MainAgent } from '../engine/main/compose-main-agent.js';
import type { Project } from '../engine/project.js';
import type { MemoryInbox } from '../memory/auto/inbox.js';
import type { MemoryContextManager } from '../memory/context-files.js';
import type { ModelCatalog } from '../model/catalog.js';
import type { QuotaBucket } from '../model/code-assist/quota.js';
import type { Ledger } from '../model/ledger.js';
import type { UtilityModel } from '../model/utility/utility-model.js';
import type { FileSystemService } from '../platform/files/file-system.js';
import type { Redactor } from '../platform/redaction/redact.js';
import type { CommandContainment } from '../platform/sandbox/containment/command-containment.js';
import type { ToolSandbox } from '../platform/sandbox/tool-sandbox.js';
import type { ShellExecutionService } from '../platform/shell/shell-service.js';
import type { ShellSettings } from '../platform/shell/shell-settings.js';
import type { Storage } from '../platform/storage/storage.js';
import type { PolicyEngine } from '../policy/policy-engine.js';
import type { ApprovalMode } from '../protocol/confirmation.js';
import type { ChatRecordingService } from '../sessions/recording/chat-recording-service.js';
import { noTelemetry, type TelemetryRecorder } from '../telemetry/record.js';
import { registerBuiltinTools, type ToolHost } from '../tools/catalog.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import type { FileDiscoveryService } from '../workspace/file-discovery.js';
import type { FileFilteringOptions } from '../workspace/host.js';
import type { WorkspaceContext } from '../workspace/workspace-context.js';
import { AddOnGetters } from './add-on-getters.js';

interface Running {
  engine: Engine;
  main: MainAgent;
}

export class Config extends AddOnGetters implements ToolHost {
  private starting: Promise<Running> | undefined;
  private running: Running | undefined;
  private ending: Promise<void> | undefined;
  private leaving = new AbortController();

  /** Must be awaited before any service is used. Throws errors for the user, with their exit code. */
  async initialize(): Promise<void> {
    this.starting ??= start(this.project, this, this.leaving.signal);
    try {
      this.running = await this.starting;
      if (this.parameters.followsEditorTrust) this.running.engine.ide.followTrust(this);
    } catch (error) {
      this.starting = undefined;
      throw error;
    }
  }

  /**
   * Ends child processes and connections, and a start that is under way. Does nothing the second time.
   * @param reason for hooks
   */
  shutdown(reason: SessionEndReason = 'exit'): Promise<void> {
    this.ending ??= this.end(reason);
    return this.ending;
  }

  /** What all agents share; `composeAgent(engine, definition)` makes another one. */
  getEngine(): Engine {
    return this.ready.engine;
  }

  /** An empty conversation under a new id, in the same engine; hooks are told (`/clear`). */
  async startNewSession(sessionId: string): Promise<void> {
    const { session, client } = this.ready.main;
    await session.end('clear');
    this.setSessionId(sessionId);
    this.project.topic = undefined;
    this.ready.engine.skills.activation.reset();
    await client.resetChat();
    await session.begin('clear');
  }

  getChatRecordingService(): ChatRecordingService | undefined {
    return this.ready.main.recording;
  }

  getCheckpoints(): Promise<CheckpointServices> {
    return this.ready.main.checkpoints();
  }

  /** Runs sub-agents, and lists those in the background. */
  getAgentCaller(): AgentRuns {
    return this.ready.main.agentRuns;
  }

  getTargetDir(): string {
    return this.ready.engine.targetDir;
  }

  /** The concrete model that requests go to. */
  getModel(): string {
    return this.ready.main.choice.model;
  }

  /**
   * Switches to another model or alias, from the next call on.
   * @throws what its provider lacks; nothing has changed then
   */
  async setModel(model: string): Promise<void> {
    await this.ready.main.useModel(model);
    this.getTelemetry().event('gemini_cli.slash_command.model', { model_name: model });
  }

  /** Models by name, for the `/model` dialog. */
  getModelCatalog(): ModelCatalog {
    return this.ready.engine.models.catalog;
  }

  /** The models the server of a model offers; empty if it does not list them. */
  listModels(model = this.getModel(), signal: AbortSignal = new AbortController().signal): Promise<string[]> {
    return this.ready.engine.models.pool.listModelsOf(model, signal);
  }

  /** The remaining quota by model; empty if the server does not report it. */
  async refreshUserQuota(signal: AbortSignal = new AbortController().signal): Promise<QuotaBucket[]> {
    return (await this.ready.engine.models.first.quota?.(signal)) ?? [];
  }

  /** The last request of the conversation, in the form of the Gemini API; secrets are not masked. */
  getLastRequest(): Promise<Record<string, unknown> | undefined> {
    return this.ready.engine.models.lastRequest();
  }

  /** Tokens and cost of the session so far. */
  getLedger(): Ledger {
    return this.ready.engine.models.ledger;
  }

  /** For small calls beside the conversation. */
  getUtilityModel(): UtilityModel {
    return this.ready.engine.models.utility;
  }

  getApprovalMode(): ApprovalMode {
    return this.ready.engine.policy.getApprovalMode();
  }

  /** @throws when the folder or an administrator forbids this mode */
  setApprovalMode(mode: ApprovalMode): void {
    this.ready.engine.policy.setApprovalMode(mode);
  }

  getModeBeforePlan(): ApprovalMode | undefined {
    return this.ready.engine.policy.modes.beforePlan;
  }

  /** Where plan mode may write. */
  getPlansDirectory(): string | undefined {
    return this.ready.engine.policy.getPlansDirectory();
  }

  /**
   * The user has decided about the folder. Takes effect at once: settings are merged again, and what trust
   * allowed ends when it is revoked.
   * @throws FatalConfigError when the folder's settings are invalid; nothing has changed then
   */
  setTrusted(trusted: boolean): void {
    this.project.setTrusted(trusted);
    // First: whatever the new settings say, permissions that came with trust end.
    if (!trusted) this.running?.engine.policy.dropPrivileges();
    this.running?.engine.apply(this.parameters);
    this.running?.main.apply(this.parameters);
  }

  /** How requests are signed; undefined while nothing needs signing. */
  getAuthType(): string | undefined {
    return this.running?.engine.models.first.authType;
  }

  /** Does nothing before the start, and while telemetry is off. */
  getTelemetry(): TelemetryRecorder {
    return this.running?.engine.recorder ?? noTelemetry;
  }

  /** The account and plan behind a Google sign-in; undefined with a key. */
  getGoogleAccount(): { email?: string; tier: string } | undefined {
    return this.running?.engine.models.first.account;
  }

  getRedactor(): Redactor {
    return this.ready.engine.redactor;
  }

  maskForModel(text: string): string {
    return this.parameters.maskSecretsForModel ? this.ready.engine.redactor.redact(text) : text;
  }

  hasOwnSystemPrompt(): boolean {
    return this.ready.main.hasOwnPrompt();
  }

  /** GEMINI.md and other context files. */
  getMemory(): MemoryContextManager {
    return this.ready.main.memory;
  }

  /** Suggestions of auto memory to review (`/memory inbox`). Works while auto memory is disabled, too. */
  loadMemoryInbox(): Promise<MemoryInbox> {
    return this.ready.main.autoMemory.inbox();
  }

  get storage(): Storage {
    return this.ready.engine.storage;
  }

  getSession(): AgentSession {
    return this.ready.main.session;
  }

  getGeminiClient(): GeminiClient {
    return this.ready.main.client;
  }

  getToolRegistry(): ToolRegistry {
    return this.ready.main.tools;
  }

  /** A new registry with the built-in tools that the settings allow, and discovered tools. */
  async createToolRegistry(): Promise<ToolRegistry> {
    const { engine } = this.ready;
    const registry = new ToolRegistry(engine.policy);
    registerBuiltinTools(registry, this, engine.bus, this.parameters);
    registry.addSource(discoveredTools(engine, engine.bus, this.leaving.signal));
    await registry.discoverAllTools();
    registry.sortTools();
    return registry;
  }

  /** The names by which the model calls a server's tools. */
  getMcpToolNames(serverName: string): string[] {
    const tools = this.getToolRegistry().getAllTools();
    return tools.filter((tool) => tool.serverName === serverName).map(({ name }) => name);
  }

  getPolicyEngine(): PolicyEngine {
    return this.ready.engine.policy;
  }

  getMessageBus(): MessageBus {
    return this.ready.engine.bus;
  }

  getWorkspaceContext(): WorkspaceContext {
    return this.ready.engine.workspaceContext;
  }

  getFileSystemService(): FileSystemService {
    return this.ready.engine.fileSystem;
  }

  getFileService(): FileDiscoveryService {
    return this.ready.engine.fileService;
  }

  getFileFilteringOptions(): FileFilteringOptions {
    return this.ready.engine.fileFiltering;
  }

  getShellSettings(): ShellSettings {
    return this.ready.engine.shellSettings;
  }

  getShellExecutionService(): ShellExecutionService {
    return this.ready.engine.shell;
  }

  /** Undefined while commands are not sandboxed (`security.toolSandboxing`). */
  getToolSandbox(): ToolSandbox | undefined {
    return this.ready.engine.toolSandbox();
  }

  /** The sandbox for commands that run without a question. */
  getContainment(): CommandContainment {
    return this.ready.engine.containment;
  }

  validatePathAccess(path: string, access?: 'read' | 'write'): string | null {
    return this.ready.engine.pathAccess(path, access);
  }

  isPathAllowed(path: string): boolean {
    return this.ready.engine.pathAccess(path) === null;
  }

  private async end(reason: SessionEndReason): Promise<void> {
    this.leaving.abort();
    const running = await this.starting?.catch(() => undefined);
    // Nothing was started; a later start is still possible.
    if (!running) {
      this.leaving = new AbortController();
      this.ending = undefined;
    }
    try {
      await running?.main.end(reason);
    } finally {
      await running?.engine.close();
    }
  }

  protected get engine(): Engine {
    return this.ready.engine;
  }

  private get ready(): Running {
    if (!this.running) throw new Error('Config.initialize() must be awaited before its services are used.');
    return this.running;
  }
}

async function start(project: Project, host: ToolHost, signal: AbortSignal): Promise<Running> {
  const engine = await composeEngine(project, { signal });
  try {
    return { engine, main: await composeMainAgent(engine, host) };
  } catch (error) {
    await engine.close().catch(() => undefined);
    throw error;
  }
}
