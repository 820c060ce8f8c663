/** `update_topic`: the model says what it works on; the screen shows it as a heading, and the prompt repeats it. */
import type { MessageBus } from '../../bus/message-bus.js';
import { UPDATE_TOPIC } from '../../protocol/tool-names.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { BaseDeclarativeTool, Kind, type ToolResult } from '../tools.js';
import prose from './update-topic.md';

export interface UpdateTopicParams {
  title?: string;
  summary?: string;
  strategic_intent: string;
}

export interface Topic {
  title: string;
  summary?: string;
  intent: string;
}

export interface TopicHost {
  getTopic(): Topic | undefined;
  setTopic(topic: Topic): void;
}

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: {
    title: { type: 'string' },
    summary: { type: 'string' },
    strategic_intent: { type: 'string', minLength: 1 },
  },
  required: ['strategic_intent'],
});

export class UpdateTopicTool extends BaseDeclarativeTool<UpdateTopicParams, ToolResult> {
  static readonly Name = UPDATE_TOPIC;

  constructor(
    private readonly host: TopicHost,
    messageBus: MessageBus,
  ) {
    super(UpdateTopicTool.Name, 'Update Topic Context', description, Kind.Think, schema, messageBus, false);
  }

  protected createInvocation(...call: InvocationArguments<UpdateTopicParams>) {
    return new UpdateTopicInvocation(this.host, ...call);
  }
}

class UpdateTopicInvocation extends HostedInvocation<TopicHost, UpdateTopicParams> {
  /** The heading on the screen; an update without a title is shown by its intent alone. */
  getDescription(): string {
    return oneLine(this.params.title);
  }

  protected async run(): Promise<ToolResult> {
    const before = this.host.getTopic();
    const title = oneLine(this.params.title) || before?.title || '';
    const summary = this.params.summary?.trim() || (title === before?.title ? before?.summary : undefined);
    const intent = oneLine(this.params.strategic_intent);
    this.host.setTopic({ title, intent, ...(summary && { summary }) });
    const lines = [
      ...(title ? [`Current topic: ${title}`] : []),
      ...(summary ? [`Summary: ${summary}`] : []),
      `Intent: ${intent}`,
    ];
    return { llmContent: lines.join('\n'), returnDisplay: intent };
  }
}

function oneLine(text = ''): string {
  return text.replace(/\s+/g, ' ').trim();
}
