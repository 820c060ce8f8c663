/** How a response tells the model that a call did not run. Sessions save these texts, so they stay as they are. */

export const CANCELLED = '[Operation Cancelled]';
export const DENIED_BY_POLICY = 'Tool execution denied by policy.';

export function invalidArguments(tool: string): string {
  return `Invalid arguments for "${tool}":`;
}
