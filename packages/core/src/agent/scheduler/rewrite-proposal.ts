/** Replaces what the model proposed with content that the user wrote: the call gets new arguments. */
import type {
  ToolCallConfirmationDetails,
  ToolEditConfirmationDetails,
} from '../../protocol/confirmation.js';
import type { AnyToolInvocation, ModifiableInvocation } from '../../tools/tools.js';
import type { CallState } from './state.js';

export function isModifiable(
  invocation: AnyToolInvocation,
): invocation is AnyToolInvocation & ModifiableInvocation {
  return 'argsForContent' in invocation && typeof invocation.argsForContent === 'function';
}

/** True when the call takes content and `content` differs from its own. */
export function changesProposal(
  call: CallState,
  details: ToolCallConfirmationDetails,
  content: string | undefined,
): boolean {
  if (content === undefined || details.type !== 'edit' || !isModifiable(call.built())) return false;
  return withoutCr(content) !== withoutCr(details.newContent);
}

/** False when it is the same content. @throws when the tool does not accept it */
export function rewrite(call: CallState, details: ToolEditConfirmationDetails, content: string): boolean {
  const invocation = call.built();
  if (!isModifiable(invocation) || !changesProposal(call, details, content)) return false;
  call.rebuild(invocation.argsForContent(withoutCr(content), details));
  return true;
}

/** Some editors write CRLF; the file's own line endings are restored when it is written. */
function withoutCr(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
