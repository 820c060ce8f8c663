/** The call that a checkpoint was made for, so that it can be proposed again and its response fits the history. */
import type { Content, Part } from '../../protocol/messages.js';
import type { CheckpointedCall } from '../../sessions/checkpoints/format.js';

export interface ProposedCall extends CheckpointedCall {
  /** Id of the call in the history that has no response yet. */
  callId: string;
}

/** Ensures that the history ends with the call. */
export function proposable(
  history: readonly Content[],
  toolCall: CheckpointedCall | undefined,
  newId: () => string,
): { clientHistory: Content[]; call?: ProposedCall } {
  if (!toolCall) return { clientHistory: [...history] };
  const last = history.at(-1);
  const parts = last?.role === 'model' ? last.parts : [];
  const waiting = waitingCall(parts, toolCall);
  const callId = waiting?.functionCall?.id ?? newId();
  if (waiting && last) {
    // Checkpoints of other programs may lack the id; the response needs one.
    const named = parts.map((part) =>
      part === waiting ? { ...part, functionCall: { ...toolCall, id: callId } } : part,
    );
    return {
      clientHistory: [...history.slice(0, -1), { ...last, parts: named }],
      call: { ...toolCall, callId },
    };
  }
  const asked: Content = { role: 'model', parts: [{ functionCall: { ...toolCall, id: callId } }] };
  return { clientHistory: [...history, asked], call: { ...toolCall, callId } };
}

/** Compares arguments: the history may hold extra ones that the engine consumed, or others than were run. */
function waitingCall(parts: readonly Part[], { name, args }: CheckpointedCall): Part | undefined {
  const named = parts.filter(({ functionCall }) => functionCall?.name === name);
  const isSame = ({ functionCall }: Part) =>
    Object.entries(args).every(([key, value]) => isEqual(functionCall?.args[key], value));
  return named.find(isSame) ?? (named.length === 1 ? named[0] : undefined);
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
