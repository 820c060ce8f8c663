/** Diffs in the editor: one at a time, the others wait. What the user has not accepted there is never reported as accepted. */
import { messageOf } from '../base/errors.js';
import { realPathOf } from '../platform/files/real-path.js';
import { createLog } from '../platform/log.js';
import type { DiffEvent, IdeConnection } from './connection/connect.js';
import type { IdeDiff } from './types.js';

type Answer = Awaited<IdeDiff['answer']>;

interface Waiting {
  path: string;
  content: string;
  answer: (answer: Answer) => void;
  state: 'waiting' | 'opening' | 'open' | 'over';
  /** Settles when the companion has the diff, or has failed to open it. */
  opened: Promise<void>;
}

/** An answer that was given in the editor at the same moment is here by then: updates are read in steps. */
const LATE_ANSWER_MS = 250;

/** The user has answered in the terminal and waits for the editor to say what the diff shows. */
const OPENING_MS = 2_000;

const log = createLog('ide');

export class Diffs {
  private readonly queue: Waiting[] = [];

  constructor(private readonly connection: () => IdeConnection | undefined) {}

  open(path: string, content: string): IdeDiff {
    let settle: Waiting['answer'] = () => undefined;
    const answer = new Promise<Answer>((resolve) => {
      settle = resolve;
    });
    const diff: Waiting = { path, content, answer: settle, state: 'waiting', opened: Promise.resolve() };
    this.queue.push(diff);
    this.advance();
    return { answer, close: () => this.close(diff) };
  }

  /** What the companion says about a diff that is not the open one does not count. */
  heard(event: DiffEvent): void {
    const [diff] = this.queue;
    if (!diff || diff.state === 'waiting' || !isSame(diff.path, event.filePath)) return;
    const isAsked = diff.state !== 'over';
    this.end(diff);
    if (!isAsked) return;
    diff.answer(
      event.type === 'accepted' ? { status: 'accepted', content: event.content } : { status: 'rejected' },
    );
  }

  /** The companion is gone, and its diffs with it: their questions are answered in the terminal. */
  lost(): void {
    for (const diff of this.queue.splice(0)) diff.state = 'over';
  }

  private async close(diff: Waiting): Promise<string | undefined> {
    if (diff.state === 'waiting') this.end(diff);
    if (diff.state === 'over') return undefined;
    if (!(await isSettled(diff.opened, OPENING_MS))) {
      // The editor hangs. The diff is closed when it answers, and until then no other one is opened.
      diff.state = 'over';
      void diff.opened.then(() => this.closeOpened(diff));
      return undefined;
    }
    return this.closeOpened(diff);
  }

  private async closeOpened(diff: Waiting): Promise<string | undefined> {
    const connection = this.connection();
    // `lost`, or an answer, may have come meanwhile.
    if (!this.queue.includes(diff) || !connection) return undefined;
    diff.state = 'over';
    const content = await connection.closeDiff(diff.path).catch((error: unknown) => {
      log.warn(`The diff of ${diff.path} was not closed.`, messageOf(error));
      return undefined;
    });
    // It was not open any more: what the user answered there must not count for the next diff of the same file.
    if (content === undefined) setTimeout(() => this.end(diff), LATE_ANSWER_MS).unref();
    else this.end(diff);
    return content;
  }

  private end(diff: Waiting): void {
    diff.state = 'over';
    const index = this.queue.indexOf(diff);
    if (index >= 0) this.queue.splice(index, 1);
    this.advance();
  }

  private advance(): void {
    const [diff] = this.queue;
    const connection = this.connection();
    if (diff?.state !== 'waiting' || !connection?.showsDiffs) return;
    diff.state = 'opening';
    diff.opened = connection.openDiff(diff.path, diff.content).then(
      () => {
        if (diff.state === 'opening') diff.state = 'open';
      },
      (error: unknown) => {
        log.warn(`The diff of ${diff.path} was not opened.`, messageOf(error));
        if (diff.state === 'opening') this.end(diff);
      },
    );
  }
}

async function isSettled(work: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const isDone = await Promise.race([work.then(() => true as const), limit]);
  clearTimeout(timer);
  return isDone;
}

/** The editor may name the file by its real path, or in another case. */
function isSame(ours: string, theirs: string): boolean {
  return ours === theirs || realPathOf(ours) === realPathOf(theirs);
}
