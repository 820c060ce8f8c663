/** The tools of one session, by name: those of the agent, those added later, and those of active skills. */
import type { Config, PolicyRule, ProgramTool } from '@gemini-cli/core';
import type { ReadTool, ToolPorts } from './program-tool.js';
import { readSchema } from './schema.js';
import type { AnyTool } from './tool.js';

/** Kinds that change nothing also run in plan mode. */
const READS: ReadonlySet<string> = new Set(['read', 'search', 'fetch', 'think']);

export class ToolBox {
  private readonly tools = new Map<string, ReadTool>();
  private readonly rules = new Map<string, () => void>();
  private adding: Promise<void> = Promise.resolve();
  private config: Config | undefined;

  constructor(private readonly ports: ToolPorts) {}

  /** For the engine: called again whenever an agent is made. */
  programTools(SdkTool: typeof import('./program-tool.js').SdkTool): ProgramTool[] {
    return [...this.tools.values()].map((read) => ({
      name: read.tool.name,
      create: (bus) => new SdkTool(read, this.ports, bus),
    }));
  }

  /** Takes effect with the next model request. @param asksFirst each one asks the first time */
  add(tools: readonly AnyTool[], { asksFirst = false } = {}): Promise<void> {
    this.adding = this.adding.then(() => this.addNow(tools, asksFirst));
    return this.adding;
  }

  /** @throws TypeError for a tool whose schema cannot be used */
  async ready(): Promise<void> {
    const { adding } = this;
    this.adding = adding.catch(() => undefined);
    await adding;
  }

  /** The engine has started. */
  async attach(config: Config): Promise<void> {
    this.config = config;
    for (const { tool } of this.tools.values()) await this.allow(tool, false);
  }

  private async addNow(tools: readonly AnyTool[], asksFirst: boolean): Promise<void> {
    for (const tool of tools) {
      const read = { tool, schema: await readSchema(tool.inputSchema, `tool("${tool.name}")`) };
      this.tools.set(tool.name, read);
      if (!this.config) continue;
      const { SdkTool } = await import('./program-tool.js');
      const registry = this.config.getToolRegistry();
      registry.unregisterTool(tool.name);
      registry.registerTool(new SdkTool(read, this.ports, this.config.getMessageBus()));
      await this.allow(tool, asksFirst);
    }
  }

  /** They run without a question unless they ask for one, or a rule of program, user or administrator says otherwise. */
  private async allow({ name, kind, mayAsk }: AnyTool, asksFirst: boolean): Promise<void> {
    const { compileProgramRules } = await import('@gemini-cli/core');
    const warn = () => undefined;
    const place = { tier: 'default' as const, source: 'the tools of this program', warn };
    const { ASKS } = await import('./program-tool.js');
    const modes: ('default' | 'autoEdit' | 'plan')[] = READS.has(kind)
      ? ['default', 'autoEdit', 'plan']
      : ['default', 'autoEdit'];
    const decision = asksFirst ? 'ask_user' : 'allow';
    const rules: PolicyRule[] = compileProgramRules(
      [
        ...(mayAsk
          ? [{ toolName: name, toolAnnotations: ASKS, decision: 'ask_user' as const, priority: 49, modes }]
          : []),
        { toolName: name, decision, priority: 48, modes },
      ],
      place,
    );
    this.rules.get(name)?.();
    const drop = this.config?.getPolicyEngine().addRunRules(rules);
    if (drop) this.rules.set(name, drop);
  }
}
