/** The hub the seed documents describe: one-line getters over the services that `compose.ts` wires up. */
import type { AgentSession } from '../agent/agent-session.js';
import type { GeminiClient } from '../agent/gemini-client.js';
import type { EventStream } from '../bus/event-stream.js';
import type { MessageBus } from '../bus/message-bus.js';
import type { MemoryInbox } from '../memory/auto/inbox.js';
import type { MemoryContextManager } from '../memory/context-files.js';
import type { ModelCatalog } from '../model/catalog.js';
import type { QuotaBucket } from '../model/code-assist/quota.js';
import type { Ledger } from '../model/ledger.js';
import type { UtilityModel } from '../model/utility-model.js';
import { type Environment, processEnvironment } from '../platform/environment.js';
import type { FileSystemService } from '../platform/file-system.js';
import type { Redactor } from '../platform/redact.js';
import type { ToolSandbox } from '../platform/sandbox/tool-sandbox.js';
import type { ShellExecutionService } from '../platform/shell-service.js';
import type { ShellSettings } from '../platform/shell-settings.js';
import type { Storage } from '../platform/storage.js';
import type { PolicyEngine } from '../policy/policy-engine.js';
import type { ApprovalMode } from '../protocol/confirmation.js';
import type { ChatRecordingService } from '../sessions/chat-recording-service.js';
import type { ToolHost } from '../tools/catalog.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type { WebSearchService } from '../tools/web-host.js';
import type { FileDiscoveryService } from '../workspace/file-discovery.js';
import type { FileFilteringOptions } from '../workspace/host.js';
import type { WorkspaceContext } from '../workspace/workspace-context.js';
import { compose, type Services } from './compose.js';
import type { CheckpointServices } from './compose-checkpoints.js';
import type { ConfigParameters } from './parameters.js';

export class Config implements ToolHost {
  private services: Services | undefined;
  private trusted: boolean;
  private approvedPlan: string | undefined;
  private readonly environment: Environment;

  constructor(private current: ConfigParameters) {
    this.trusted = current.trusted ?? true;
    this.environment = current.environment ?? processEnvironment();
  }

  /** What is in force now; a changed trust may change it. */
  get parameters(): ConfigParameters {
    return this.current;
  }

  /** Must be awaited before any service is used. Throws what the user has to know, with its exit code. */
  async initialize(): Promise<void> {
    this.services ??= await compose(this);
  }

  /** Ends children and connections. */
  async shutdown(): Promise<void> {
    await this.services?.shutdown();
  }

  /** Variables, working directory and home of this session. */
  getEnvironment(): Environment {
    return this.environment;
  }

  getSessionId(): string {
    return this.parameters.sessionId;
  }

  setSessionId(sessionId: string): void {
    this.current = { ...this.current, sessionId };
  }

  getChatRecordingService(): ChatRecordingService | undefined {
    return this.ready.recording;
  }

  /** `/checkpoint`, `/restore`, `/rewind`, `/chat`. */
  getCheckpoints(): Promise<CheckpointServices> {
    return this.ready.checkpoints();
  }

  getTargetDir(): string {
    return this.ready.targetDir;
  }

  /** The concrete model requests go to. */
  getModel(): string {
    return this.ready.models.choice.model;
  }

  /**
   * Another model or alias, from the next call on.
   * @throws what its provider lacks; then nothing has changed
   */
  async setModel(model: string): Promise<void> {
    await this.ready.models.use(model);
    this.current = { ...this.current, model };
  }

  /** Models by name: what the dialog of `/model` offers. */
  getModelCatalog(): ModelCatalog {
    return this.ready.models.catalog;
  }

  /** What the server behind a model offers; empty where it does not tell. */
  listModels(model = this.getModel(), signal: AbortSignal = new AbortController().signal): Promise<string[]> {
    return this.ready.models.pool.listModelsOf(model, signal);
  }

  /** What is left of the user's quota by model; empty where nobody tells. */
  async refreshUserQuota(signal: AbortSignal = new AbortController().signal): Promise<QuotaBucket[]> {
    return (await this.ready.models.first.quota?.(signal)) ?? [];
  }

  /** What the session has used so far, in tokens and money. */
  getLedger(): Ledger {
    return this.ready.models.ledger;
  }

  /** Small calls beside the conversation. */
  getUtilityModel(): UtilityModel {
    return this.ready.models.utility;
  }

  isDirectWebFetch(): boolean {
    return this.parameters.directWebFetch ?? false;
  }

  getWebSearchService(): WebSearchService | undefined {
    const { endpoint, apiKeyEnv } = this.parameters.webSearch ?? {};
    return endpoint ? { endpoint, apiKeyEnv } : undefined;
  }

  getExperimentalDynamicModelConfiguration(): boolean {
    return this.parameters.models?.dynamicConfiguration ?? false;
  }

  getApprovalMode(): ApprovalMode {
    return this.ready.policyEngine.getApprovalMode();
  }

  /** @throws when the folder or an administrator does not allow this mode */
  setApprovalMode(mode: ApprovalMode): void {
    this.ready.policyEngine.setApprovalMode(mode);
  }

  getModeBeforePlan(): ApprovalMode | undefined {
    return this.ready.policyEngine.modes.beforePlan;
  }

  /** Where plan mode may write. */
  getPlansDirectory(): string | undefined {
    return this.ready.policyEngine.getPlansDirectory();
  }

  /** The plan that the user approved last in this session. */
  getApprovedPlanPath(): string | undefined {
    return this.approvedPlan;
  }

  setApprovedPlanPath(path: string): void {
    this.approvedPlan = path;
  }

  getDebugMode(): boolean {
    return this.parameters.debugMode;
  }

  isInteractive(): boolean {
    return this.parameters.interactive;
  }

  isTrustedFolder(): boolean {
    return this.trusted;
  }

  /**
   * The user has decided about the folder. Takes effect at once: settings are merged anew, and what trust
   * allowed ends when it is taken back.
   * @throws FatalConfigError when the folder's settings cannot be used; then nothing has changed
   */
  setTrusted(trusted: boolean): void {
    const { settings, deriveForTrust } = this.current;
    settings?.setTrusted(trusted);
    this.trusted = trusted;
    if (deriveForTrust) this.current = { ...this.current, ...deriveForTrust(trusted) };
    this.services?.apply(this.current);
    if (!trusted) this.services?.policyEngine.dropPrivileges();
  }

  /** How requests are signed; undefined while nothing needs signing. */
  getAuthType(): string | undefined {
    return this.services?.authType;
  }

  getRedactor(): Redactor {
    return this.ready.redactor;
  }

  /** Without secrets, unless the user wants the model to see them. */
  maskForModel(text: string): string {
    return this.parameters.maskSecretsForModel === false ? text : this.ready.redactor.redact(text);
  }

  getSearchTimeoutMs(): number {
    return this.parameters.searchTimeoutMs ?? 0;
  }

  getCoreTools(): string[] | undefined {
    return this.parameters.coreTools;
  }

  getUseRipgrep(): boolean {
    return this.parameters.useRipgrep ?? true;
  }

  /** GEMINI.md and its like. */
  getMemory(): MemoryContextManager {
    return this.ready.memory;
  }

  /** What auto memory suggests, to be reviewed (`/memory inbox`). Works while auto memory is off, too. */
  loadMemoryInbox(): Promise<MemoryInbox> {
    return this.ready.autoMemory.inbox();
  }

  get storage(): Storage {
    return this.ready.storage;
  }

  /** Events of all agents, and answers to their questions. */
  getEvents(): EventStream {
    return this.ready.events;
  }

  getSession(): AgentSession {
    return this.ready.session;
  }

  getGeminiClient(): GeminiClient {
    return this.ready.client;
  }

  getToolRegistry(): ToolRegistry {
    return this.ready.toolRegistry;
  }

  getPolicyEngine(): PolicyEngine {
    return this.ready.policyEngine;
  }

  getMessageBus(): MessageBus {
    return this.ready.messageBus;
  }

  getWorkspaceContext(): WorkspaceContext {
    return this.ready.workspaceContext;
  }

  getFileSystemService(): FileSystemService {
    return this.ready.fileSystemService;
  }

  getFileService(): FileDiscoveryService {
    return this.ready.fileService;
  }

  getFileFilteringOptions(): FileFilteringOptions {
    return this.ready.fileFiltering;
  }

  getShellSettings(): ShellSettings {
    return this.ready.shellSettings;
  }

  getShellExecutionService(): ShellExecutionService {
    return this.ready.shellExecutionService;
  }

  /** Undefined while commands are not sandboxed (`security.toolSandboxing`). */
  getToolSandbox(): ToolSandbox | undefined {
    return this.ready.toolSandbox();
  }

  validatePathAccess(path: string, access?: 'read' | 'write'): string | null {
    return this.ready.pathAccess(path, access);
  }

  isPathAllowed(path: string): boolean {
    return this.ready.pathAccess(path) === null;
  }

  private get ready(): Services {
    if (!this.services) throw new Error('Config.initialize() must be awaited before its services are used.');
    return this.services;
  }
}
