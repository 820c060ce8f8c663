/** Finds repeating tool calls: a cycle of one to five calls, five times in the same order. */

export const CYCLE_REPEATS = 5;
const MAX_CYCLE = 5;

export interface CallCycle {
  names: string[];
}

interface SeenCall {
  name: string;
  key: string;
}

export class CallCycles {
  /** The last calls, newest first. */
  private readonly recent: SeenCall[] = [];
  /** By cycle length n: how many calls in a row were equal to the call n before them. */
  private readonly runs = new Array<number>(MAX_CYCLE + 1).fill(0);

  clear(): void {
    this.recent.length = 0;
    this.runs.fill(0);
  }

  add(name: string, args: unknown): CallCycle | undefined {
    const call = { name, key: `${name}\n${JSON.stringify(args)}` };
    let found: CallCycle | undefined;
    for (let length = 1; length <= MAX_CYCLE; length++) {
      const run = this.recent[length - 1]?.key === call.key ? (this.runs[length] ?? 0) + 1 : 0;
      this.runs[length] = run;
      if (!found && run >= length * (CYCLE_REPEATS - 1)) found = { names: this.lastNames(name, length) };
    }
    this.recent.unshift(call);
    if (this.recent.length > MAX_CYCLE) this.recent.pop();
    return found;
  }

  private lastNames(name: string, length: number): string[] {
    const earlier = this.recent.slice(0, length - 1).map((call) => call.name);
    return [...earlier.reverse(), name];
  }
}
