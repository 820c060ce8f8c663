/** Builds the graph of a history. Keeps what it built before, because a conversation grows at its end. */
import { createLog } from '../../platform/log.js';
import type { Message } from '../../protocol/messages.js';
import { type ContextGraph, type ContextNode, type ContextTurn, nodeType } from './context-graph.js';
import { getStableId, type NodeIdentityMap, turnHash, WHOLE_TURN } from './stable-id.js';

const log = createLog('context');

export interface BuilderOptions {
  now?: () => number;
  /** Called for each message that is hashed; tests measure the work by it. */
  onHash?: (message: Message) => void;
}

export class ContextGraphBuilder {
  private readonly nodeIdentityMap: NodeIdentityMap = new WeakMap();
  private readonly hashes = new WeakMap<Message, string>();
  private readonly now: () => number;
  private read: Message[] = [];
  private turns: ContextTurn[] = [];
  private seenHashes = new Map<string, number>();

  constructor(private readonly options: BuilderOptions = {}) {
    this.now = options.now ?? Date.now;
  }

  build(history: readonly Message[]): ContextGraph {
    this.forgetUnlessContinuedBy(history);
    for (let index = this.read.length; index < history.length; index++) {
      const message = history[index] as Message;
      this.read.push(message);
      if (isLegacyHeader(message)) {
        log.debug('[ContextGraphBuilder] Skipping legacy environment header turn.');
        continue;
      }
      this.turns.push(this.turnOf(message));
    }
    return { turns: [...this.turns] };
  }

  private forgetUnlessContinuedBy(history: readonly Message[]): void {
    const isContinued =
      this.read.length <= history.length && this.read.every((message, index) => message === history[index]);
    if (isContinued) return;
    this.read = [];
    this.turns = [];
    this.seenHashes = new Map();
  }

  private turnOf(message: Message): ContextTurn {
    const turnSalt = this.saltOf(message);
    const id = getStableId(message, this.nodeIdentityMap, turnSalt, WHOLE_TURN);
    const timestamp = this.now();
    const nodes = message.parts.map(
      (part, position): ContextNode => ({
        id: getStableId(part, this.nodeIdentityMap, turnSalt, position),
        turnId: id,
        role: message.role,
        type: nodeType(message, part),
        payload: part,
        timestamp,
      }),
    );
    return { id, message, nodes };
  }

  private saltOf(message: Message): string {
    const hash = this.hashOf(message);
    const occurrence = this.occurrenceOf(message, hash);
    this.seenHashes.set(hash, occurrence);
    return `${hash}_${occurrence}`;
  }

  /** A turn keeps its number even when turns before it are gone, so later turns must not reuse it. */
  private occurrenceOf(message: Message, hash: string): number {
    const next = (this.seenHashes.get(hash) ?? 0) + 1;
    const known = this.nodeIdentityMap.get(message);
    return known === undefined ? next : Math.max(next, Number(known.slice(known.lastIndexOf('_') + 1)));
  }

  private hashOf(message: Message): string {
    const known = this.hashes.get(message);
    if (known !== undefined) return known;
    this.options.onHash?.(message);
    const hash = turnHash(message);
    this.hashes.set(message, hash);
    return hash;
  }
}

/** The first message of older versions' sessions, which is outdated. The current one has origin `context`. */
function isLegacyHeader({ role, origin, parts }: Message): boolean {
  if (role !== 'user' || origin === 'context' || parts.length !== 1) return false;
  const text = parts[0]?.text;
  return Boolean(text?.startsWith('<session_context>') && text.includes('This is the Gemini CLI'));
}
