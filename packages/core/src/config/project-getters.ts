/** The part of `Config` that is known before the engine runs: what was set, and what the session remembers. */
import type { EventStream } from '../bus/event-stream.js';
import type { CompleteParameters, ConfigParameters } from '../engine/parameters.js';
import { Project } from '../engine/project.js';
import type { Environment } from '../platform/environment.js';
import type { Topic } from '../tools/topic/update-topic.js';
import type { WebSearchService } from '../tools/web-host.js';

export class ProjectGetters {
  protected readonly project: Project;

  /** @param source parameters, or the project that `openProject()` made */
  constructor(source: ConfigParameters | Project) {
    this.project = source instanceof Project ? source : new Project(source);
  }

  /** The current parameters, defaults included; a change of trust may change them. */
  get parameters(): CompleteParameters {
    return this.project.parameters;
  }

  /** Variables, working directory and home of this session. */
  getEnvironment(): Environment {
    return this.project.environment;
  }

  getSessionId(): string {
    return this.parameters.sessionId;
  }

  setSessionId(sessionId: string): void {
    this.project.change({ sessionId });
  }

  isDirectWebFetch(): boolean {
    return this.parameters.directWebFetch;
  }

  getWebSearchService(): WebSearchService | undefined {
    const { endpoint, apiKeyEnv } = this.parameters.webSearch;
    return endpoint ? { endpoint, apiKeyEnv } : undefined;
  }

  /** A model may correct an edit that does not fit its file. */
  isEditCorrectionEnabled(): boolean {
    return !this.parameters.disableLLMCorrection;
  }

  getExperimentalDynamicModelConfiguration(): boolean {
    return this.parameters.models.dynamicConfiguration;
  }

  /** The plan the user approved last in this session. */
  getApprovedPlanPath(): string | undefined {
    return this.project.approvedPlan;
  }

  setApprovedPlanPath(path: string): void {
    this.project.approvedPlan = path;
  }

  /** What the model works on, as it said last. */
  getTopic(): Topic | undefined {
    return this.project.topic;
  }

  setTopic(topic: Topic): void {
    this.project.topic = topic;
  }

  getDebugMode(): boolean {
    return this.parameters.debugMode;
  }

  isInteractive(): boolean {
    return this.parameters.interactive;
  }

  isYoloModeDisabled(): boolean {
    return this.parameters.disableYoloMode;
  }

  /** Folders the user asked for that wait for a decision, e.g. about trust. */
  getPendingIncludeDirectories(): string[] {
    return [...(this.parameters.pendingIncludeDirectories ?? [])];
  }

  clearPendingIncludeDirectories(): void {
    this.project.change({ pendingIncludeDirectories: [] });
  }

  isTrustedFolder(): boolean {
    return this.project.isTrusted;
  }

  getSearchTimeoutMs(): number {
    return this.parameters.fileFiltering.searchTimeout;
  }

  getCoreTools(): string[] | undefined {
    return this.parameters.coreTools;
  }

  getUseRipgrep(): boolean {
    return this.parameters.useRipgrep;
  }

  /** Events of all agents, and answers to their questions. */
  getEvents(): EventStream {
    return this.project.events;
  }
}
