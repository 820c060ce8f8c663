/** The call that a checkpoint was made for, so that it can be proposed again and its answer fits the history. */
import type { Content, Part } from '../../protocol/messages.js';
import type { CheckpointedCall } from '../../sessions/checkpoints/format.js';

export interface ProposedCall extends CheckpointedCall {
  /** Of the call in the history that waits for its answer. */
  callId: string;
}

/** The history ends with the call: where it does not, the call is put there. */
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
    // Others may have left the id out; the answer needs one.
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

/** By its arguments; the history may hold more of them, which the engine took for itself, or others than were run. */
function waitingCall(parts: readonly Part[], { name, args }: CheckpointedCall): Part | undefined {
  const named = parts.filter(({ functionCall }) => functionCall?.name === name);
  const isSame = ({ functionCall }: Part) =>
    Object.entries(args).every(([key, value]) => isEqual(functionCall?.args[key], value));
  return named.find(isSame) ?? (named.length === 1 ? named[0] : undefined);
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
