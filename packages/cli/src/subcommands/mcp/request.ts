/** What is known of the folder before a command about its servers runs. */
import type { McpTools } from '@gemini-cli/core';

export type McpRequest = Parameters<McpTools['inspectServers']>[0];
