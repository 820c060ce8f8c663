/** A mistake in an agent file: what is wrong with which field, and what to write instead. */

export interface FieldIssue {
  /** Path of the field, `mcp_servers.github.url`; empty: the header as a whole. */
  field: string;
  message: string;
  /** What the author can do. */
  cure: string;
}

/** `tools: Expected array, received string`. */
export function issueText({ field, message }: FieldIssue): string {
  return field === '' ? message : `${field}: ${message}`;
}
