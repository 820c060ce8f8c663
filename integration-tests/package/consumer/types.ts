/** Compiled by consumer.test.ts with strict settings against the packed package: every subpath has usable types. */
import {
  type AgentSession,
  ApprovalMode,
  Config,
  type ConfigParameters,
  FileError,
  type FileSystemService,
  StandardFileSystemService,
  VERSION,
} from '@gemini-cli/core';
import { type AgentEvent, type Part, ToolConfirmationOutcome } from '@gemini-cli/core/protocol';
import {
  type ContentGenerator,
  FakeModel,
  type GenerateRequest,
  ReplayGenerator,
} from '@gemini-cli/core/testing';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  Kind,
  type MessageBus,
  READ_FILE,
  ReadFileTool,
  SchemaValidator,
  ToolErrorType,
  type ToolInvocation,
  type ToolResult,
} from '@gemini-cli/core/tools';

interface EchoParams {
  text: string;
}

class EchoInvocation extends BaseToolInvocation<EchoParams, ToolResult> {
  getDescription(): string {
    return `Echo ${this.params.text}`;
  }

  protected async run(): Promise<ToolResult> {
    if (this.params.text === '') {
      const message = 'There is nothing to echo.';
      const error = { message, type: ToolErrorType.INVALID_TOOL_PARAMS };
      return { llmContent: message, returnDisplay: message, error };
    }
    return { llmContent: this.params.text, returnDisplay: this.params.text };
  }
}

class EchoTool extends BaseDeclarativeTool<EchoParams, ToolResult> {
  constructor(messageBus: MessageBus) {
    const schema = { type: 'object', properties: { text: { type: 'string' } } } as const;
    super('echo', 'Echo', 'Repeats a text.', Kind.Other, schema, messageBus);
  }

  protected override createInvocation(
    params: EchoParams,
    messageBus: MessageBus,
    name?: string,
  ): ToolInvocation<EchoParams, ToolResult> {
    return new EchoInvocation(params, messageBus, name);
  }
}

/** Files that an editor has open; all others come from the disk. */
class EditorFiles implements FileSystemService {
  private readonly disk = new StandardFileSystemService();
  readonly inspect: FileSystemService['inspect'] = (path, options) => this.disk.inspect(path, options);
  readonly readBytes: FileSystemService['readBytes'] = (path, options) => this.disk.readBytes(path, options);
  readonly writeTextFile: FileSystemService['writeTextFile'] = (...args) => this.disk.writeTextFile(...args);

  async readTextFile(...args: Parameters<FileSystemService['readTextFile']>) {
    if (args[0].endsWith('.secret')) throw new FileError('refused', 'The editor keeps this one to itself.');
    return this.disk.readTextFile(...args);
  }
}

export async function ask(prompt: string, targetDir: string): Promise<string> {
  const model = new FakeModel([
    { calls: [{ name: 'echo', args: { text: 'hi' } }] },
    (request: GenerateRequest) => `${request.messages.length} messages`,
  ]);
  const parameters: ConfigParameters = {
    sessionId: `typed-${VERSION}`,
    targetDir,
    debugMode: false,
    model: 'fake',
    interactive: false,
    approvalMode: ApprovalMode.YOLO,
    contentGenerator: model,
    fileSystem: new EditorFiles(),
  };
  const config = new Config(parameters);
  await config.initialize();
  config.getToolRegistry().registerTool(new EchoTool(config.getMessageBus()));
  config.getToolRegistry().registerTool(new ReadFileTool(config, config.getMessageBus()));
  const session: AgentSession = config.getSession();
  const parts: Part[] = [{ text: prompt }];
  let answer = '';
  for await (const event of session.send(parts)) answer += textOf(event);
  await config.shutdown();
  return answer;
}

function textOf(event: AgentEvent): string {
  return event.type === 'content' ? event.text : '';
}

export const facts: readonly [string, string, string | null] = [
  READ_FILE,
  ToolConfirmationOutcome.ProceedOnce,
  SchemaValidator.validate({ type: 'string' }, 'text'),
];

export const replay: ContentGenerator = new ReplayGenerator('responses.jsonl', true);
