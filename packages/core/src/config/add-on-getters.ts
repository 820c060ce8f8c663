/** The part of `Config` for what users add: skills, agents, hooks and MCP servers. */
import type { AgentReload } from '../agents/registry/agent-files.js';
import type { AgentRegistry } from '../agents/registry/agent-registry.js';
import type { IdeServices } from '../engine/compose-ide.js';
import type { Engine } from '../engine/engine.js';
import type { GeminiCLIExtension } from '../extensions/types.js';
import type { HookSystem } from '../hooks/hook-system.js';
import type { McpSignIn } from '../mcp/auth-port.js';
import type { McpClientManager } from '../mcp/mcp-client-manager.js';
import type { SkillActivation } from '../skills/activation.js';
import type { SkillChanges, SkillManager } from '../skills/manager.js';
import type { McpResources } from '../tools/mcp-resources/host.js';
import { ProjectGetters } from './project-getters.js';

export abstract class AddOnGetters extends ProjectGetters {
  protected abstract get engine(): Engine;

  /** All installed extensions, inactive ones too. */
  getExtensions(): readonly GeminiCLIExtension[] {
    return this.engine.project.parameters.extensions ?? [];
  }

  getSkillManager(): SkillManager {
    return this.engine.skills.manager;
  }

  /** Which skills the model may activate, and which are active. */
  getSkillActivation(): SkillActivation {
    return this.engine.skills.activation;
  }

  /** Resolves when the skills are discovered. */
  async whenSkillsAreKnown(): Promise<SkillManager> {
    await this.engine.skills.ready();
    return this.getSkillManager();
  }

  /** Discovers skills again; the model is told with its next request. */
  reloadSkills(): Promise<SkillChanges> {
    return this.engine.skills.reload();
  }

  /** The user's editor: the connection, what is open there, diffs. */
  getIde(): IdeServices {
    return this.engine.ide;
  }

  /** Resources of MCP servers; undefined while no server is configured. */
  getMcpResources(): McpResources | undefined {
    return this.engine.mcp.resources();
  }

  /** Resolves when every MCP server has connected or failed, or its time is over. */
  mcpReady(signal: AbortSignal): Promise<void> {
    return this.engine.mcp.ready(signal);
  }

  /** Reads the settings files again; only servers whose configuration changed are affected. */
  async reloadMcpServers(): Promise<void> {
    const { engine } = this;
    engine.project.readServersAgain();
    engine.apply(engine.project.parameters);
    await engine.mcp.refresh();
  }

  getMcpSignIn(): McpSignIn | undefined {
    return this.engine.mcp.signIn();
  }

  /** Takes effect at once. @returns why the server stays off all the same */
  setMcpServerEnabled(
    name: string,
    enabled: boolean,
    options: { isSession: boolean },
  ): Promise<string | undefined> {
    return this.engine.mcp.setEnabled(name, enabled, options);
  }

  /** The MCP servers; undefined while none is configured. */
  getMcpClientManager(): McpClientManager | undefined {
    return this.engine.mcp.current()?.manager;
  }

  /** The configured hooks; undefined while there are none, or while they are disabled. */
  getHookSystem(): HookSystem | undefined {
    return this.engine.hookSystem();
  }

  /** The sub-agents; those of files are there after `loadAgents`. */
  getAgentRegistry(): AgentRegistry {
    return this.engine.agents.registry;
  }

  /** Reads the agent files, once. */
  loadAgents(): Promise<void> {
    return this.engine.agents.load();
  }

  /** Reads the agent files again. */
  reloadAgents(): Promise<AgentReload> {
    return this.engine.agents.reload();
  }
}
