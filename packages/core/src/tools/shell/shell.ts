/** `run_shell_command`: runs a command line in the user's shell. */
import { statSync } from 'node:fs';
import type { MessageBus } from '../../bus/message-bus.js';
import { realPathOf } from '../../platform/files/real-path.js';
import type { CommandContainment } from '../../platform/sandbox/containment/command-containment.js';
import type { SandboxedLine, ToolSandbox } from '../../platform/sandbox/tool-sandbox.js';
import type { CommandTerminal } from '../../platform/shell/command-terminal.js';
import type { ShellExecutionService } from '../../platform/shell/shell-service.js';
import type { ShellSettings } from '../../platform/shell/shell-settings.js';
import type {
  Containment,
  PolicyDecision,
  PolicyUpdateOptions,
  SandboxPermissions,
  ToolCallConfirmationDetails,
  ToolExecuteConfirmationDetails,
} from '../../protocol/confirmation.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import type { WorkspaceHost } from '../../workspace/host.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { acceptSynonyms, pathOf, pathProblem } from '../path-param.js';
import {
  BaseDeclarativeTool,
  type ExecuteOptions,
  type FunctionDeclaration,
  Kind,
  type ToolResult,
} from '../tools.js';
import {
  ACCEPTED_SCHEMA,
  commandProblem,
  DECLARED,
  DECLARED_IN_SANDBOX,
  type ShellToolParams,
} from './params.js';

export type ShellHost = Pick<WorkspaceHost, 'getTargetDir' | 'getEnvironment' | 'validatePathAccess'> & {
  getShellSettings(): ShellSettings;
  getShellExecutionService(): ShellExecutionService;
  /** Absent or undefined: every command runs here. */
  getCommandTerminal?(): CommandTerminal | undefined;
  /** In debug mode the user sees the text for the model. */
  getDebugMode(): boolean;
  isTrustedFolder(): boolean;
  /** Absent or undefined when commands are not sandboxed. */
  getToolSandbox?(): ToolSandbox | undefined;
  /** Contains commands that run without asking the user. Absent or undefined: such a command is not run. */
  getContainment?(): CommandContainment | undefined;
};

export class ShellTool extends BaseDeclarativeTool<ShellToolParams, ToolResult> {
  static readonly Name = RUN_SHELL_COMMAND;

  constructor(
    private readonly host: ShellHost,
    messageBus: MessageBus,
  ) {
    const { description, schema } = DECLARED;
    super(ShellTool.Name, 'Shell', description, Kind.Execute, schema, messageBus, false, true);
  }

  override getSchema(modelId?: string): FunctionDeclaration {
    const declared = super.getSchema(modelId);
    if (!this.host.getToolSandbox?.()) return declared;
    const { description, schema } = DECLARED_IN_SANDBOX;
    return { ...declared, description, parametersJsonSchema: schema };
  }

  protected override normalizeParams(params: ShellToolParams): ShellToolParams {
    return acceptSynonyms(params, { cwd: 'dir_path', directory: 'dir_path' });
  }

  protected override validationSchema() {
    return ACCEPTED_SCHEMA;
  }

  protected override validateToolParamValues(params: ShellToolParams): string | null {
    return commandProblem(params) ?? this.directoryProblem(params.dir_path);
  }

  protected createInvocation(...call: InvocationArguments<ShellToolParams>) {
    return new ShellToolInvocation(this.host, ...call);
  }

  private directoryProblem(path: string | undefined): string | null {
    if (path === undefined) return null;
    const problem = pathProblem(this.host, 'dir_path', path, 'read');
    if (problem) return problem;
    const directory = pathOf(this.host, path);
    const found = statSync(directory, { throwIfNoEntry: false });
    if (!found) return `Directory does not exist: ${directory}`;
    return found.isDirectory() ? null : `Not a directory: ${directory}`;
  }
}

/** For a longer command its description is shown. */
const MAX_SHOWN_COMMAND = 150;

class ShellToolInvocation extends HostedInvocation<ShellHost, ShellToolParams> {
  /** Permissions beyond the sandbox that the user granted for this call. */
  private readonly granted: SandboxPermissions[] = [];

  getDescription(): string {
    const { command, description, dir_path, is_background } = this.params;
    const isLong = command.length > MAX_SHOWN_COMMAND;
    const text = isLong && description?.trim() ? description.trim() : command.trim();
    return `${text}${dir_path ? ` [in ${dir_path}]` : ''}${is_background ? ' [background]' : ''}`;
  }

  /** Asks for permissions beyond the sandbox in the same question as for the command. */
  override async shouldConfirmExecute(
    abortSignal: AbortSignal,
    forcedDecision?: PolicyDecision,
  ): Promise<ToolCallConfirmationDetails | false> {
    const details = await super.shouldConfirmExecute(abortSignal, forcedDecision);
    const sandbox = this.host.getToolSandbox?.();
    if (!sandbox || !this.messageBus.hasAnswerer) return details;
    const { expansionUpFront } = await import('./expansion-request.js');
    const asked = this.params.additional_permissions;
    const expansion = await expansionUpFront(sandbox, this.line(), asked, this.granted);
    const systemMessage = folderAndVariables(this.params);
    return expansion ? { ...expansion, ...(systemMessage && { systemMessage }) } : details;
  }

  protected override async getConfirmationDetails(): Promise<ToolExecuteConfirmationDetails> {
    const { command } = this.params;
    const systemMessage = folderAndVariables(this.params);
    const { rootCommandsOf } = await import('../../policy/shell/roots.js');
    const rootCommands = await rootCommandsOf(command, this.path());
    const always = await this.alwaysRule();
    return {
      type: 'exec',
      title: 'Confirm Shell Command',
      command,
      rootCommand: rootCommands.join(', '),
      rootCommands,
      ...(always ? { always } : { onlyOnce: true }),
      ...(systemMessage && { systemMessage }),
      onConfirm: (outcome) => this.publishPolicyUpdate(outcome),
    };
  }

  private async alwaysRule(): Promise<PolicyUpdateOptions | undefined> {
    const { narrowCommand } = await import('../../policy/answers/always-rules.js');
    const { command, cwd } = this.line();
    return narrowCommand(command, { searchPath: this.path(), directory: realPathOf(cwd) });
  }

  private path(): string | undefined {
    return this.host.getEnvironment().variables['PATH'];
  }

  protected override getPolicyUpdateOptions(): PolicyUpdateOptions {
    return { commandExact: this.params.command.trim() };
  }

  protected async run(options: ExecuteOptions): Promise<ToolResult> {
    if (options.containment) return this.runContained(options, options.containment);
    const sandbox = this.host.getToolSandbox?.();
    if (!sandbox) {
      const { runShell } = await import('./run-shell.js');
      return (await runShell(this.host, this.params, options)).result;
    }
    const { runSandboxed } = await import('./run-sandboxed.js');
    const { host, params, messageBus, granted } = this;
    return runSandboxed(sandbox, { host, params, line: this.line(), options, messageBus, granted });
  }

  private async runContained(options: ExecuteOptions, kind: Containment): Promise<ToolResult> {
    const { runContained } = await import('./run-contained.js');
    const { host, params, messageBus } = this;
    const call = { host, params, line: this.line(), kind, options, messageBus };
    return runContained(host.getContainment?.(), { ...call, question: () => this.getConfirmationDetails() });
  }

  private line(): SandboxedLine {
    const { command, dir_path, environment } = this.params;
    const cwd = dir_path === undefined ? this.host.getTargetDir() : pathOf(this.host, dir_path);
    return { command, cwd, environment };
  }
}

/** Shown to the user, because the folder and the variables change what a command does. */
function folderAndVariables({ dir_path, environment = {} }: ShellToolParams): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [
    ...(dir_path === undefined ? [] : [`In the folder: ${dir_path}`]),
    ...(variables.length === 0 ? [] : [`With variables: ${variables.join(' ')}`]),
  ].join('\n');
}
