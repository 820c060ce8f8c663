/** What servers offer, checked once: entries that are not usable are dropped, texts are bounded. */
import { headOf } from '../base/cut-text.js';
import { isObject } from '../base/objects.js';

export interface McpToolDefinition {
  /** The server's own name for it. */
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations?: Record<string, unknown>;
  /** It runs only as a task, which this program does not offer. */
  needsTask?: true;
}

export interface McpPromptDefinition {
  name: string;
  title?: string;
  description?: string;
  arguments: readonly { name: string; description?: string; required: boolean }[];
}

export interface McpResourceDefinition {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
}

/** Longer texts of a server are cut; no useful description is as long. */
const MAX_TEXT = 32_000;

export function readTool(value: unknown): McpToolDefinition | undefined {
  if (!isObject(value) || !isName(value['name'])) return undefined;
  const { name, inputSchema, annotations, execution } = value;
  return {
    name,
    ...text(value, 'title'),
    description: typeof value['description'] === 'string' ? headOf(value['description'], MAX_TEXT) : '',
    inputSchema: isObject(inputSchema) ? inputSchema : { type: 'object', properties: {} },
    ...(isObject(annotations) && { annotations }),
    ...(isObject(execution) && execution['taskSupport'] === 'required' && { needsTask: true }),
  };
}

export function readPrompt(value: unknown): McpPromptDefinition | undefined {
  if (!isObject(value) || !isName(value['name'])) return undefined;
  const given = Array.isArray(value['arguments']) ? value['arguments'] : [];
  return {
    name: value['name'],
    ...text(value, 'title'),
    ...text(value, 'description'),
    arguments: given.flatMap((item) =>
      isObject(item) && isName(item['name'])
        ? { name: item['name'], ...text(item, 'description'), required: item['required'] === true }
        : [],
    ),
  };
}

export function readResource(value: unknown): McpResourceDefinition | undefined {
  if (!isObject(value) || !isName(value['uri'])) return undefined;
  const { uri, name, size } = value;
  return {
    uri,
    name: isName(name) ? name : uri,
    ...text(value, 'title'),
    ...text(value, 'description'),
    ...text(value, 'mimeType'),
    ...(typeof size === 'number' && { size }),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;
}

function text(value: Record<string, unknown>, key: string): Record<string, string> {
  const given = value[key];
  return typeof given === 'string' && given !== '' ? { [key]: headOf(given, MAX_TEXT) } : {};
}
