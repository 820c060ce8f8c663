/**
 * Remembers names, descriptions and schemas of the tools of each server the user has approved. A tool that differs later
 * asks again and shows the difference; where no user can be asked, it is not offered.
 */
import { sha256Hex } from '../../base/sha256.js';
import { stableJson } from '../../policy/rules/stable-json.js';
import { type ResolvedServer, targetOf } from '../config.js';
import type { McpToolDefinition } from '../definitions.js';
import type { ToolPins } from '../tools/mcp-tool-wrapper.js';
import type { PinFile, PinRecords, ServerPins, ToolPin } from './pin-file.js';

/** Longer texts are kept as a hash only. */
const MAX_TEXT = 8_000;

export class RememberedPins implements ToolPins {
  private records: PinRecords = {};

  constructor(
    private readonly file: PinFile,
    private readonly options: { isInteractive: boolean; onSaved?: (saving: Promise<void>) => void },
  ) {}

  async load(): Promise<void> {
    // A damaged file approves nothing: every server counts as new.
    this.records = { ...this.file.read(), ...this.records };
  }

  isHeldBack(server: ResolvedServer, tool: McpToolDefinition): boolean {
    return !this.options.isInteractive && this.hasChanged(server, tool);
  }

  hasChanged(server: ResolvedServer, tool: McpToolDefinition): boolean {
    // Every start asks this for every tool; most users have approved none.
    if (Object.keys(this.records).length === 0) return false;
    const pins = this.records[keyOf(server)];
    return pins !== undefined && pins[tool.name]?.hash !== hashOf(tool);
  }

  async describeChange(server: ResolvedServer, tool: McpToolDefinition): Promise<string> {
    const { describeChange } = await import('./describe-change.js');
    return describeChange(this.changeOf(server, tool));
  }

  /** Says that the tool is not offered, and what has changed. */
  async describeHeldBack(server: ResolvedServer, tool: McpToolDefinition): Promise<string> {
    const { describeHeldBack } = await import('./describe-change.js');
    return describeHeldBack(this.changeOf(server, tool));
  }

  private changeOf(server: ResolvedServer, tool: McpToolDefinition) {
    const approved = this.records[keyOf(server)]?.[tool.name];
    return { server: server.name, tool: tool.name, approved, now: textOf(tool) };
  }

  /** At the first approval everything the server offers is remembered, later only the tool that was approved. */
  approved(server: ResolvedServer, tool: McpToolDefinition, all: readonly McpToolDefinition[]): void {
    const key = keyOf(server);
    const known = this.records[key];
    if (known?.[tool.name]?.hash === hashOf(tool)) return;
    const pins: ServerPins = Object.fromEntries(
      (known ? [tool] : [...all, tool]).map((item) => [item.name, pinOf(item)]),
    );
    this.records = { ...this.records, [key]: { ...known, ...pins } };
    const saving = this.file.add(key, pins);
    this.options.onSaved?.(saving);
  }
}

/** Name and address: another program under the same name is another server. Hashed, as arguments may hold secrets. */
function keyOf({ name, config }: ResolvedServer): string {
  return `${name} ${sha256Hex(targetOf(config)).slice(0, 16)}`;
}

function pinOf(tool: McpToolDefinition): ToolPin {
  const text = textOf(tool);
  return { hash: hashOf(tool), ...(text.length <= MAX_TEXT && { text }) };
}

function hashOf({ name, description, inputSchema, annotations = {} }: McpToolDefinition): string {
  return sha256Hex(stableJson({ name, description, inputSchema, annotations }));
}

/** As shown in the difference. */
function textOf({ description, inputSchema, annotations }: McpToolDefinition): string {
  return [
    description,
    '',
    `parameters: ${JSON.stringify(inputSchema, null, 2)}`,
    ...(annotations ? [`annotations: ${JSON.stringify(annotations, null, 2)}`] : []),
    '',
  ].join('\n');
}
