// Seed 004 §4.8, whole. Added: the imports, and a body for `execute`, which is a sketch there.
import {
  type AnsiOutput,
  BaseToolInvocation,
  type Config,
  getCommandRoots,
  type MessageBus,
  parseCommandDetails,
  type PolicyUpdateOptions,
  stripShellWrapper,
  type ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
  type ToolExecuteConfirmationDetails,
  type ToolResult,
} from '@gemini-cli/core';

export interface ShellToolParams {
  command: string;
  description?: string;
  dir_path?: string;
}

export class ShellToolInvocation extends BaseToolInvocation<
  ShellToolParams,
  ToolResult
> {
  constructor(
    private readonly config: Config,
    params: ShellToolParams,
    messageBus: MessageBus,
    _toolName?: string,
    _toolDisplayName?: string,
  ) {
    super(params, messageBus, _toolName, _toolDisplayName);
  }

  getDescription(): string {
    let description = `${this.params.command}`;
    if (this.params.dir_path) {
      description += ` [in ${this.params.dir_path}]`;
    }
    if (this.params.description) {
      description += ` (${this.params.description.replace(/\n/g, ' ')})`;
    }
    return description;
  }

  // Custom policy update options for command-specific allowlisting
  protected override getPolicyUpdateOptions(
    outcome: ToolConfirmationOutcome,
  ): PolicyUpdateOptions | undefined {
    if (
      outcome === ToolConfirmationOutcome.ProceedAlwaysAndSave ||
      outcome === ToolConfirmationOutcome.ProceedAlways
    ) {
      const command = stripShellWrapper(this.params.command);
      const rootCommands = [...new Set(getCommandRoots(command))];
      if (rootCommands.length > 0) {
        return { commandPrefix: rootCommands };
      }
      return { commandPrefix: this.params.command };
    }
    return undefined;
  }

  // Custom confirmation with command analysis
  protected override async getConfirmationDetails(
    _abortSignal: AbortSignal,
  ): Promise<ToolCallConfirmationDetails | false> {
    const command = stripShellWrapper(this.params.command);
    const parsed = parseCommandDetails(command);

    let rootCommandDisplay = '';
    if (!parsed || parsed.hasError || parsed.details.length === 0) {
      const fallback = command.trim().split(/\s+/)[0];
      rootCommandDisplay = fallback || 'shell command';
    } else {
      rootCommandDisplay = parsed.details.map((d) => d.name).join(', ');
    }

    const rootCommands = [...new Set(getCommandRoots(command))];

    const confirmationDetails: ToolExecuteConfirmationDetails = {
      type: 'exec',
      title: 'Confirm Shell Command',
      command: this.params.command,
      rootCommand: rootCommandDisplay,
      rootCommands,
      onConfirm: async (outcome: ToolConfirmationOutcome) => {
        await this.publishPolicyUpdate(outcome);
      },
    };
    return confirmationDetails;
  }

  async execute(
    signal: AbortSignal,
    updateOutput?: (output: string | AnsiOutput) => void,
  ): Promise<ToolResult> {
    // Shell execution implementation...
    // Ours, for the sketch has no body: says what it was given.
    updateOutput?.('started');
    return { llmContent: `aborted: ${signal.aborted}`, returnDisplay: '' };
  }
}
