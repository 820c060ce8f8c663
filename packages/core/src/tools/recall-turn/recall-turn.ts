/** `recall_turn`: a turn that was summarised, word for word. */
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { MessageBus } from '../../bus/message-bus.js';
import { shortId } from '../../context/compression/summary-messages.js';
import { textOfTurn } from '../../context/compression/transcript.js';
import type { ContextService } from '../../context/context-service.js';
import type { Part } from '../../protocol/messages.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { ToolErrorType } from '../tool-error.js';
import { BaseDeclarativeTool, Kind, type ToolResult, toolFailure } from '../tools.js';
import prose from './recall-turn.md';

export interface RecallTurnParams {
  turn_id: string;
}

export type TurnSource = Pick<ContextService, 'hasArchive' | 'recall' | 'listTurns'>;

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: { turn_id: { type: 'string' } },
  required: ['turn_id'],
  additionalProperties: false,
});

/** A longer list would cost more tokens than it helps. */
const MAX_LISTED = 100;

export class RecallTurnTool extends BaseDeclarativeTool<RecallTurnParams, ToolResult> {
  static readonly Name = 'recall_turn';

  constructor(
    private readonly source: TurnSource,
    messageBus: MessageBus,
  ) {
    super(RecallTurnTool.Name, 'Recall Turn', description, Kind.Read, schema, messageBus);
  }

  /** Nothing to recall before the first compression; until then the tool is not declared. */
  isAvailable(): boolean {
    return this.source.hasArchive();
  }

  protected override validateToolParamValues({ turn_id }: RecallTurnParams): string | null {
    return turn_id.trim() === '' ? 'params.turn_id must be non-empty' : null;
  }

  protected createInvocation(...call: InvocationArguments<RecallTurnParams>) {
    return new RecallTurnInvocation(this.source, ...call);
  }
}

class RecallTurnInvocation extends HostedInvocation<TurnSource, RecallTurnParams> {
  getDescription(): string {
    return this.params.turn_id.trim();
  }

  protected async run(): Promise<ToolResult> {
    const id = this.params.turn_id.trim();
    const message = this.host.recall(id);
    if (!message)
      return toolFailure(this.describeMissing(id), ToolErrorType.INVALID_TOOL_PARAMS, `No turn ${id}`);
    const text = textOfTurn(message);
    const isForeign = message.parts.some(({ functionResponse }) => functionResponse);
    const said = `${id} (${message.role}, ${message.origin}):\n${isForeign ? wrapUntrusted(text) : text}`;
    const media = mediaOf(message.parts);
    return {
      llmContent: media.length === 0 ? said : [{ text: said }, ...media],
      returnDisplay: `Recalled a turn of ${text.length} characters.`,
    };
  }

  private describeMissing(id: string): string {
    const turns = this.host.listTurns();
    if (turns.length === 0) return 'No turn was summarised yet; the whole conversation is still before you.';
    const listed = turns
      .slice(-MAX_LISTED)
      .map((turn) => `- ${shortId(turn.id)} (${turn.origin}) ${turn.preview}`);
    const matching = turns.filter((turn) => turn.id.startsWith(id)).length;
    const problem =
      matching > 1 ? `"${id}" fits ${matching} turns; give more of the id` : `No turn has the id "${id}"`;
    return [`${problem}. The latest of ${turns.length} summarised turns:`, ...listed].join('\n');
  }
}

/** Images and documents, including those that a tool returned. */
function mediaOf(parts: readonly Part[]): Part[] {
  return parts.flatMap(({ inlineData, fileData, functionResponse }) => {
    if (inlineData) return [{ inlineData }];
    return fileData ? [{ fileData }] : mediaOf(functionResponse?.parts ?? []);
  });
}
