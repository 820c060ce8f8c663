/** Lets a model shorten long answers and tool outputs, never prompts or rules. */
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
  type NodeAge,
  type NodeProcessor,
  type ProcessContext,
  replaceNode,
  textOfPart,
  withText,
} from './processor.js';

const log = createLog('context');

export interface DistillationOptions {
  above: number;
  /** Shorten only the old part of the conversation. */
  agedOnly: boolean;
}

export class NodeDistillationProcessor implements NodeProcessor {
  /** Parts that could not be shortened, so that they are not tried at every turn. */
  private readonly incompressible = new WeakSet<Part>();

  constructor(
    private readonly options: DistillationOptions,
    private readonly utility: UtilityModel,
    private readonly estimator: TokenEstimator,
    private readonly store: OutputStore,
  ) {}

  process(node: ContextNode, age: NodeAge, context: ProcessContext): ContextNode | Promise<ContextNode> {
    const isExempt = this.options.agedOnly ? !age.isAged : age.isLatestResponse;
    const isText =
      node.type === 'AGENT_YIELD' || (node.type === 'TOOL_EXECUTION' && node.payload.functionResponse);
    if (isExempt || !isText || this.incompressible.has(node.payload)) return node;
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
    this.incompressible.add(node.payload);
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
