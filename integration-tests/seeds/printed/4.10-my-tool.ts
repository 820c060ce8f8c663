// Seed 004 §4.10, steps 2 to 5. Added: the imports, and `private` before `config` of the tool, which its last method reads.
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  type Config,
  Kind,
  type MessageBus,
  type ToolInvocation,
  type ToolResult,
} from '@gemini-cli/core';

export const MY_TOOL_NAME = 'my_tool';

export interface MyToolParams {
  required_param: string;
  optional_param?: number;
}

class MyToolInvocation extends BaseToolInvocation<MyToolParams, ToolResult> {
  constructor(
    private config: Config,
    params: MyToolParams,
    messageBus: MessageBus,
    toolName?: string,
    toolDisplayName?: string,
  ) {
    super(params, messageBus, toolName, toolDisplayName);
  }

  getDescription(): string {
    return `Processing ${this.params.required_param}`;
  }

  async execute(signal: AbortSignal): Promise<ToolResult> {
    // Implementation
    return {
      llmContent: 'Result text',
      returnDisplay: 'Display text',
    };
  }
}

export class MyTool extends BaseDeclarativeTool<MyToolParams, ToolResult> {
  static readonly Name = MY_TOOL_NAME;

  constructor(private config: Config, messageBus: MessageBus) {
    super(
      MyTool.Name,
      'MyTool',
      'Description for the LLM',
      Kind.Other,
      {
        type: 'object',
        properties: {
          required_param: { type: 'string', description: '...' },
          optional_param: { type: 'number', description: '...' },
        },
        required: ['required_param'],
      },
      messageBus,
    );
  }

  protected createInvocation(
    params: MyToolParams,
    messageBus: MessageBus,
    toolName?: string,
    toolDisplayName?: string,
  ): ToolInvocation<MyToolParams, ToolResult> {
    return new MyToolInvocation(
      this.config,
      params,
      messageBus,
      toolName,
      toolDisplayName,
    );
  }
}
