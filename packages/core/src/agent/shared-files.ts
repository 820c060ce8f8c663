/**
 * Files that several agents change: one at a time, and an agent that has not seen the latest change of another one is
 * told to read the file again before it writes.
 */
import { Slots } from '../base/concurrency.js';
import { realPathOf } from '../platform/files/real-path.js';
import { READ_FILE, REPLACE, WRITE_FILE } from '../protocol/tool-names.js';
import { ToolErrorType } from '../tools/tool-error.js';
import { type ToolResult, toolFailure } from '../tools/tools.js';
import type { AroundCalls } from './call-snapshots.js';

interface Change {
  by: string;
  number: number;
}

const WRITERS: ReadonlySet<string> = new Set([WRITE_FILE, REPLACE]);

export class SharedFiles {
  private readonly changes = new Map<string, Change>();
  /** The change that an agent has seen last, by agent and path. */
  private readonly seen = new Map<string, number>();
  private readonly writing = new Map<string, Slots>();
  private count = 0;

  /** Goes around each call of one agent. @param inner saves what the call may change */
  forAgent(agent: { id: string; name: string }, inner?: AroundCalls): AroundCalls {
    return {
      around: (call, execute, isRunningOn) => {
        const run = () => (inner ? inner.around(call, execute, isRunningOn) : execute());
        const [path] = call.paths;
        if (path === undefined) return run();
        if (call.toolName === READ_FILE) return this.read(agent.id, realPathOf(path), run);
        return WRITERS.has(call.toolName) ? this.write(agent, realPathOf(path), run) : run();
      },
    };
  }

  private async read(id: string, path: string, run: () => Promise<ToolResult>): Promise<ToolResult> {
    // Before it runs: a change meanwhile is not in what the agent reads.
    const number = this.changes.get(path)?.number;
    const result = await run();
    if (number !== undefined && !result.error) this.seen.set(keyOf(id, path), number);
    return result;
  }

  private async write(
    { id, name }: { id: string; name: string },
    path: string,
    run: () => Promise<ToolResult>,
  ): Promise<ToolResult> {
    let slots = this.writing.get(path);
    if (!slots) {
      slots = new Slots(() => 1);
      this.writing.set(path, slots);
    }
    const release = await slots.take();
    try {
      const last = this.changes.get(path);
      if (last && last.by !== id && (this.seen.get(keyOf(id, path)) ?? 0) < last.number)
        return toolFailure(
          `${path} was changed by another agent of this session; nothing was written. Read it again and retry.`,
          ToolErrorType.FILE_WRITE_FAILURE,
          `${name}: the file was changed by another agent`,
        );
      const result = await run();
      if (!result.error) {
        this.changes.set(path, { by: id, number: ++this.count });
        this.seen.set(keyOf(id, path), this.count);
      }
      return result;
    } finally {
      release();
    }
  }
}

function keyOf(id: string, path: string): string {
  return `${id}\0${path}`;
}
