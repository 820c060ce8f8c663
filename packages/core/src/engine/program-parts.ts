/** What a program that embeds the engine adds to the agent: instructions and tools. Hooks and skills have parameters of their own. */
import type { MessageBus } from '../bus/message-bus.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type { AnyDeclarativeTool } from '../tools/tools.js';

/** A tool of the program; each agent gets one on its own bus. */
export interface ProgramTool {
  name: string;
  create(bus: MessageBus): AnyDeclarativeTool;
}

export interface ProgramParts {
  /** Stands where the text of context files stands, before it. Asked before every model request of the main agent. */
  instructions?: (signal: AbortSignal) => string | Promise<string>;
  /** As they are now. One with the name of a built-in tool replaces it. */
  tools?: () => readonly ProgramTool[];
}

/** To be called after the built-in tools are registered. */
export function registerProgramTools(
  registry: ToolRegistry,
  bus: MessageBus,
  { tools = () => [] }: ProgramParts = {},
): void {
  for (const { name, create } of tools()) {
    registry.unregisterTool(name);
    registry.registerTool(create(bus));
  }
}

/** The instructions of the program, as they were before the last model request. */
export class ProgramInstructions {
  private current = '';

  constructor(private readonly parts: ProgramParts | undefined) {}

  get text(): string {
    return this.current;
  }

  /** @throws what the program throws */
  async refresh(signal: AbortSignal): Promise<void> {
    const text = await this.parts?.instructions?.(signal);
    this.current = typeof text === 'string' ? text.trim() : '';
  }
}
