/**
 * Summarises what a session did in a few metadata fields: which tools in which order, which files, whether the last
 * check passed. With it, memory extraction need not read every conversation.
 */
import { headOf } from '../../base/cut-text.js';
import type { Part } from '../../protocol/messages.js';
import type { ConversationRecord, MemoryScratchpad, MessageRecord } from '../../protocol/session-record.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import { isSubstance, isUserMessage, shownTextOf } from '../reading/message-kinds.js';

export interface ScratchpadCall {
  name: string;
  args: Readonly<Record<string, unknown>>;
  status: string;
  result?: readonly Part[] | null;
}

const MAX_TOOLS = 100;
const MAX_PATHS = 50;
const PROMPT_CHARS = 120;
const PATH_ARGUMENTS = ['file_path', 'absolute_path', 'path'];
/** Commands that check the work. */
const CHECK =
  /\b(?:tests?|vitest|jest|mocha|pytest|tox|lint|eslint|biome|ruff|tsc|typecheck|check|clippy|build|make|ctest|mvn|gradlew?|rspec|phpunit)\b/;

export class ScratchpadBuilder {
  private tools: string[] = [];
  private readonly paths = new Set<string>();
  private validation: MemoryScratchpad['validationStatus'];
  private prompt = '';

  /** @param earlier the scratchpad of the resumed session */
  constructor(earlier?: MemoryScratchpad | string) {
    if (typeof earlier !== 'object') return;
    this.tools = listOf(earlier.toolSequence);
    for (const path of listOf(earlier.touchedPaths)) this.paths.add(path);
    this.validation = earlier.validationStatus;
    this.prompt = /^(.*?)(?: \| |$)/s.exec(String(earlier.workflowSummary ?? ''))?.[1] ?? '';
  }

  addPrompt(text: string): void {
    if (this.prompt === '') this.prompt = shortened(text.replace(/\s+/g, ' ').trim());
  }

  addCall({ name, args, status, result }: ScratchpadCall): void {
    if (this.tools.at(-1) !== name) this.tools.push(name);
    if (this.tools.length > MAX_TOOLS) this.tools.shift();
    for (const key of PATH_ARGUMENTS) {
      const path = args[key];
      if (typeof path !== 'string' || path === '') continue;
      // Re-inserted, so that the newest is last.
      this.paths.delete(path);
      this.paths.add(path);
    }
    const command = args['command'];
    if (name === RUN_SHELL_COMMAND && typeof command === 'string' && CHECK.test(command))
      this.validation = validationOf(status, result ?? []);
  }

  /** Undefined when the session used no tools. */
  build(): MemoryScratchpad | undefined {
    if (this.tools.length === 0) return undefined;
    const touchedPaths = [...this.paths].slice(-MAX_PATHS);
    const validationStatus = this.validation ?? 'unknown';
    const distinct = [...new Set(this.tools)].join(', ');
    const files = `${this.paths.size} ${this.paths.size === 1 ? 'file' : 'files'}`;
    return {
      version: 1,
      workflowSummary: [this.prompt, distinct, files, `checks: ${validationStatus}`]
        .filter(Boolean)
        .join(' | '),
      toolSequence: [...this.tools],
      touchedPaths,
      validationStatus,
    };
  }
}

/** The recorded scratchpad, unless messages came after it. */
export function currentScratchpad(
  record: Pick<ConversationRecord, 'memoryScratchpad' | 'memoryScratchpadIsStale' | 'messages'>,
): MemoryScratchpad | string | undefined {
  const { memoryScratchpad, memoryScratchpadIsStale, messages } = record;
  const isFresh = memoryScratchpad !== undefined && memoryScratchpadIsStale !== true;
  return isFresh ? memoryScratchpad : (scratchpadOf(messages) ?? memoryScratchpad);
}

export function scratchpadOf(messages: readonly MessageRecord[]): MemoryScratchpad | undefined {
  const builder = new ScratchpadBuilder();
  for (const message of messages) {
    if (isUserMessage(message) && isSubstance(message)) builder.addPrompt(shownTextOf(message));
    for (const call of message.toolCalls ?? []) builder.addCall(call);
  }
  return builder.build();
}

function validationOf(status: string, result: readonly Part[]): MemoryScratchpad['validationStatus'] {
  if (status !== 'success' && status !== 'error') return 'unknown';
  const text = result
    .map(
      ({ functionResponse }) => functionResponse?.response['output'] ?? functionResponse?.response['error'],
    )
    .filter((value) => typeof value === 'string')
    .join('\n');
  const code = /^Exit Code: (\d+)/m.exec(text)?.[1];
  if (code !== undefined) return code === '0' ? 'passed' : 'failed';
  return status === 'success' ? 'passed' : 'failed';
}

/** Other programs write these files too. */
function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function shortened(text: string): string {
  return headOf(text, PROMPT_CHARS);
}
