/** The answer of a remote agent, put together from what it sends, in bounded memory. */
import type { Artifact, Message, StreamResponse, Task, TaskStatus } from '@a2a-js/sdk';
import { cleanTerminalText } from '../../../base/ansi.js';
import { oneLine } from '../card/describe-card.js';
import { isText, partsText, streamedText } from './part-text.js';
import { isOver, isWaiting, phaseOf, type TaskPhase } from './task-phase.js';

const MAX_ARTIFACTS = 100;
const MAX_ID_CHARS = 500;
const HEADING_CHARS = 200;
const MAX_SEEN = 1_000;

export class Answer {
  contextId: string | undefined;
  taskId: string | undefined;
  phase: TaskPhase | undefined;
  /** The agent answered with a message instead of a task. */
  isMessage = false;
  /** Something was left out. */
  isCut = false;
  /** Every update of a known artifact counts as an addition, whatever it says. */
  appendsAll = false;
  /** An artifact came in several updates. */
  hasUpdatedArtifacts = false;
  private readonly said: { text: string; isChunk: boolean }[] = [];
  private readonly artifacts = new Map<string, { heading: string; text: string }>();
  /** Ids of messages that are in the text already. */
  private readonly seen = new Set<string>();
  private size = 0;

  constructor(private readonly maxChars: number) {}

  /** Whether the agent expects nothing more of this request. */
  get isComplete(): boolean {
    return isOver(this.phase) || isWaiting(this.phase);
  }

  get isEmpty(): boolean {
    return this.said.length === 0 && this.artifacts.size === 0;
  }

  add({ payload }: StreamResponse): void {
    switch (payload?.$case) {
      case 'message':
        this.isMessage = true;
        this.remember(payload.value.contextId, payload.value.taskId);
        this.say(payload.value);
        break;
      case 'task':
        this.addTask(payload.value);
        break;
      case 'statusUpdate':
        this.remember(payload.value.contextId, payload.value.taskId);
        this.setStatus(payload.value.status, { isChunk: isTextChunk(payload.value.metadata) });
        break;
      case 'artifactUpdate': {
        const { artifact, append, contextId, taskId } = payload.value;
        this.remember(contextId, taskId);
        if (artifact) this.put(artifact, append || this.appendsAll);
        break;
      }
    }
  }

  /** A task as a whole: what it holds replaces what came before in parts. */
  addTask({ id, contextId, status, artifacts, history }: Task): void {
    this.remember(contextId, id);
    this.setStatus(status, { isRepeated: true });
    for (const artifact of artifacts ?? []) this.put(artifact, false);
    // Some agents put the answer only into the history, behind the question.
    if (!this.isEmpty || !this.isComplete) return;
    const asked = history?.findLastIndex(({ role }) => role !== ROLE_AGENT) ?? -1;
    for (const message of history?.slice(asked + 1) ?? []) this.say(message, { isRepeated: true });
  }

  text(): string {
    const artifacts = [...this.artifacts.values()].map(({ heading, text }) => `${heading}\n${text}`);
    return [this.said.map(({ text }) => text).join('\n'), ...artifacts]
      .map(cleanTerminalText)
      .filter((text) => text.trim() !== '')
      .join('\n\n');
  }

  private setStatus(status: TaskStatus | undefined, way: { isChunk?: boolean; isRepeated?: boolean }): void {
    if (!status) return;
    this.phase = phaseOf(status.state) ?? this.phase;
    if (status.message) this.say(status.message, way);
  }

  /** Pieces of one message have one id; a task that is sent as a whole repeats the last message. */
  private say({ messageId, parts }: Message, { isChunk = false, isRepeated = false } = {}): void {
    if (isRepeated && messageId && this.seen.has(messageId)) return;
    if (messageId && messageId.length <= MAX_ID_CHARS && this.seen.size < MAX_SEEN) this.seen.add(messageId);
    const text = this.fitting(partsText(parts, this.maxChars + 1));
    if (!text) return;
    const last = this.said.at(-1);
    // One string for many chunks: each in a list would take many times its size.
    if (last?.isChunk && isChunk) last.text += text;
    else this.said.push({ text, isChunk });
  }

  private put({ artifactId, name, description, parts }: Artifact, append: boolean): void {
    const id = artifactId.slice(0, MAX_ID_CHARS);
    const known = this.artifacts.get(id);
    if (!known && this.artifacts.size === MAX_ARTIFACTS) {
      this.isCut = true;
      return;
    }
    if (known && !append) this.size -= known.text.length;
    if (known) this.hasUpdatedArtifacts = true;
    const text = this.fitting(streamedText(parts, this.maxChars + 1));
    const title = oneLine(name || description || id, HEADING_CHARS);
    if (known && append) known.text += known.text && !isText(parts[0]) ? `\n${text}` : text;
    else this.artifacts.set(id, { heading: `Artifact: ${title}`, text });
  }

  /** Counts the text, and cuts it where the whole answer is too long. */
  private fitting(text: string): string {
    const room = this.maxChars - this.size;
    if (text.length > room) this.isCut = true;
    const kept = text.slice(0, Math.max(room, 0));
    this.size += kept.length;
    return kept;
  }

  /** Ids go back to the server; one that is too long is not an id. */
  private remember(contextId: string, taskId: string): void {
    if (contextId && contextId.length <= MAX_ID_CHARS) this.contextId = contextId;
    if (taskId && taskId.length <= MAX_ID_CHARS) this.taskId = taskId;
  }
}

/** `Role.ROLE_AGENT`: the enum would have to be loaded. */
const ROLE_AGENT = 2;

/** Servers of this program send their text in pieces. */
function isTextChunk(metadata: Record<string, unknown> | undefined): boolean {
  const agent = metadata?.['coderAgent'];
  return typeof agent === 'object' && agent !== null && 'kind' in agent && agent.kind === 'text-content';
}
