/** Long answers and outputs are put more briefly by a model. Words of the user and rules never are. */
import { messageOf } from '../../base/errors.js';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { UtilityModel } from '../../model/utility/utility-model.js';
import { createLog } from '../../platform/log.js';
import type { Part } from '../../protocol/messages.js';
import distillPrompt from '../compression/prompts/distill.md';
import { COMPRESSOR_ROLE } from '../compression/snapshot.js';
import type { ContextNode } from '../graph/context-graph.js';
import type { OutputStore } from '../output-store.js';
import type { TokenEstimator } from '../size/token-estimate.js';
import { escapeOwnTags } from '../tags.js';
import {
  type NodePlace,
  type NodeProcessor,
  type ProcessContext,
  replaceNode,
  textOfPart,
  withText,
} from './processor.js';

const log = createLog('context');

export interface DistillationOptions {
  above: number;
  /** Leave what belongs to the newest part alone. */
  agedOnly: boolean;
}

export class NodeDistillationProcessor implements NodeProcessor {
  /** What could not be shortened is not tried at every turn. */
  private readonly hopeless = new WeakSet<Part>();

  constructor(
    private readonly options: DistillationOptions,
    private readonly utility: UtilityModel,
    private readonly estimator: TokenEstimator,
    private readonly store: OutputStore,
  ) {}

  process(node: ContextNode, place: NodePlace, context: ProcessContext): ContextNode | Promise<ContextNode> {
    const isSpared = this.options.agedOnly ? !place.isAged : place.isLatestResponse;
    const isText =
      node.type === 'AGENT_YIELD' || (node.type === 'TOOL_EXECUTION' && node.payload.functionResponse);
    if (isSpared || !isText || this.hopeless.has(node.payload)) return node;
    if (this.estimator.part(node.payload) <= this.options.above) return node;
    return this.distil(node, context);
  }

  private async distil(node: ContextNode, { signal, promptId, model }: ProcessContext): Promise<ContextNode> {
    const text = textOfPart(node.payload);
    try {
      const shorter = await this.ask(text, promptId, model, signal);
      const path = shorter.length < text.length / 2 ? this.store.save(text, 'distilled', node.id) : undefined;
      if (path !== undefined) {
        const words = text.includes('<untrusted_context>') ? wrapUntrusted(shorter) : shorter;
        const note = `[Shortened; the whole text is in ${path}]\n${words}`;
        return replaceNode(node, withText(node.payload, note));
      }
    } catch (error) {
      if (signal.aborted) throw error;
      log.warn('a node could not be distilled', messageOf(error));
    }
    this.hopeless.add(node.payload);
    return node;
  }

  private async ask(text: string, promptId: string, mainModel: string, signal: AbortSignal): Promise<string> {
    const wrapped = `<text_to_shorten>\n${escapeOwnTags(text)}\n</text_to_shorten>`;
    const answer = await this.utility.generateText(
      {
        alias: 'summarizer-default',
        role: COMPRESSOR_ROLE,
        promptId,
        mainModel,
        systemInstruction: distillPrompt,
        messages: [{ role: 'user', origin: 'prompt', parts: [{ text: wrapped }] }],
      },
      signal,
    );
    return escapeOwnTags(answer.text);
  }
}
