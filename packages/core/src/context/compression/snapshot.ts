/** Asks a model for a snapshot of the conversation, then asks it to check for omissions. */
import { messageOf } from '../../base/errors.js';
import type { UtilityModel } from '../../model/utility/utility-model.js';
import { createLog } from '../../platform/log.js';
import { escapeOwnTags } from '../tags.js';
import compressPrompt from './prompts/compress.md';
import selfCheckPrompt from './prompts/self-check.md';

const log = createLog('context');

export const COMPRESSOR_ROLE = 'utility_compressor';

export interface SnapshotRequest {
  alias: string;
  transcript: string;
  promptId: string;
  mainModel: string;
  /** What the user wants kept above all (argument of `/compress`). */
  focus?: string;
  /** Maximum size of the snapshot. */
  maxTokens?: number;
}

/** The content of `<state_snapshot>`; empty when the model returned none. */
export async function writeSnapshot(
  utility: UtilityModel,
  request: SnapshotRequest,
  signal: AbortSignal,
): Promise<string> {
  const first = snapshotIn(await ask(utility, request, compressPrompt, requirements(request), signal));
  if (first === '') return '';
  try {
    const draft = `<draft_snapshot>\n${escapeOwnTags(first)}\n</draft_snapshot>\n\nCheck the draft against the conversation.`;
    const second = await ask(utility, request, selfCheckPrompt, `${draft}${requirements(request)}`, signal);
    return (second.includes('<state_snapshot>') && snapshotIn(second)) || first;
  } catch (error) {
    if (signal.aborted) throw error;
    // The first version is good enough; the check only improves it.
    log.warn('the check of a snapshot failed', messageOf(error));
    return first;
  }
}

/** `chat-compression-<tier>` of the model in use. */
export function compressionAlias(model: string): string {
  const [, version, tier] = /^gemini-(3|2\.5)(?:\.\d+)?-(pro|flash-lite|flash)/.exec(model) ?? [];
  if (!version) return 'chat-compression-default';
  return `chat-compression-${version === '3' && tier === 'flash-lite' ? '3.1' : version}-${tier}`;
}

async function ask(
  utility: UtilityModel,
  { alias, transcript, promptId, mainModel }: SnapshotRequest,
  systemInstruction: string,
  task: string,
  signal: AbortSignal,
): Promise<string> {
  const text = `${transcript}\n\n${task}`.trimEnd();
  const { text: answer } = await utility.generateText(
    {
      alias,
      role: COMPRESSOR_ROLE,
      promptId,
      mainModel,
      systemInstruction,
      messages: [{ role: 'user', origin: 'prompt', parts: [{ text }] }],
    },
    signal,
  );
  return answer;
}

function requirements({ focus, maxTokens }: SnapshotRequest): string {
  return [
    '\nWrite the snapshot now.',
    ...(maxTokens ? [`It may have at most ${maxTokens} tokens.`] : []),
    ...(focus ? [`The user asks you to keep this above all: ${focus}`] : []),
  ].join('\n');
}

/** Without the tag, everything but the scratchpad is the snapshot. */
function snapshotIn(answer: string): string {
  const start = answer.indexOf('<state_snapshot>');
  if (start >= 0) {
    const end = answer.lastIndexOf('</state_snapshot>');
    const inner = answer.slice(start + '<state_snapshot>'.length, end > start ? end : undefined);
    return escapeOwnTags(inner.trim());
  }
  const bare = answer.replace(/<scratchpad>[\s\S]*?(<\/scratchpad>|$)/g, '');
  return escapeOwnTags(bare.replace(/^```\w*\n?|```$/g, '').trim());
}
