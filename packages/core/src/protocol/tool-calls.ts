/** Tool calls on their way: requested, scheduled, finished. */
import type { Part } from './messages.js';
import type { ToolResultDisplay } from './tool-display.js';

/** What the model asked for. */
export interface ToolCallRequest {
  callId: string;
  name: string;
  args: Record<string, unknown>;
  promptId: string;
  /** Started by a slash command: counts as confirmed. */
  isClientInitiated?: boolean;
}

/** Who offers an MCP tool, as hooks see it. Without headers and environment. */
export interface McpToolContext {
  server_name: string;
  /** The server's own name for the tool. */
  tool_name: string;
  command?: string;
  args?: string[];
  cwd?: string;
  url?: string;
  tcp?: string;
}

/** The response to the model, and what the user sees of it. */
export interface ToolCallResponse {
  callId: string;
  responseParts: Part[];
  resultDisplay?: ToolResultDisplay;
  error?: { message: string; type?: string };
  data?: Record<string, unknown>;
}

export type ToolCallStatus =
  | 'validating'
  | 'awaiting_approval'
  | 'scheduled'
  | 'executing'
  | 'success'
  | 'error'
  | 'cancelled';

export type ToolDecision = 'accept' | 'reject' | 'modify' | 'auto_accept';

/** A finished call; `status` is one of the three final ones. */
export interface CompletedToolCall {
  request: ToolCallRequest;
  status: 'success' | 'error' | 'cancelled';
  response: ToolCallResponse;
  durationMs: number;
  decision: ToolDecision;
  displayName?: string;
  description?: string;
  /** Whether a text for the user is Markdown. */
  isMarkdown?: boolean;
  /** The tool that really ran, when a tail call replaced the requested one. */
  executed?: { name: string; args: Record<string, unknown> };
  /** Set when the model got only part of the output. */
  truncation?: OutputTruncation;
  /** Where the tool comes from; absent for built-in ones. */
  origin?: { type: 'mcp'; serverName: string };
  extension?: { name: string; id: string };
}

export interface OutputTruncation {
  originalLength: number;
  truncatedLength: number;
  threshold: number;
  lines: number;
}
