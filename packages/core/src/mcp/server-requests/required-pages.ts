/** A server may refuse a request until the user has visited a page (error -32042): the page is offered, then it is asked again. */
import type { ElicitRequestURLParams, ElicitResult } from '@modelcontextprotocol/client';
import { untilAborted } from '../../base/concurrency.js';
import { messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { createLog } from '../../platform/log.js';

const URL_ELICITATION_REQUIRED = -32042;
/** A server with more of them only wants to keep the user busy. */
const MAX_PAGES = 5;
/** Of a server that announces what was never asked. */
const MAX_EARLY = 100;
/** Not every server says when the user is done there. */
const MAX_WAIT_MS = 2 * 60_000;

const log = createLog('mcp');

/** The pages that an error of a server names; empty for all other errors. */
export function requiredPages(error: unknown): ElicitRequestURLParams[] {
  if (!isObject(error) || error['code'] !== URL_ELICITATION_REQUIRED || !isObject(error['data'])) return [];
  const { elicitations } = error['data'];
  if (!Array.isArray(elicitations)) return [];
  return elicitations.slice(0, MAX_PAGES).flatMap((page): ElicitRequestURLParams[] => {
    if (!isObject(page) || page['mode'] !== 'url') return [];
    const { url, message = '', elicitationId } = page;
    if (typeof url !== 'string' || typeof message !== 'string' || typeof elicitationId !== 'string')
      return [];
    return [{ mode: 'url', url, message, elicitationId }];
  });
}

/** The pages of one server that the user is visiting. */
export class RequiredPages {
  private readonly open = new Map<string, () => void>();
  /** Completed before the user was asked: servers may be faster than questions. */
  private readonly early = new Set<string>();

  /** The server says that the user is done there. */
  completed(elicitationId: string): void {
    const end = this.open.get(elicitationId);
    if (end) end();
    else if (this.early.size < MAX_EARLY) this.early.add(elicitationId);
  }

  /** @returns true when the user agreed to all of them, and is done or has had time for it */
  async visit(
    pages: readonly ElicitRequestURLParams[],
    ask: (page: ElicitRequestURLParams) => Promise<ElicitResult>,
    { waitMs = MAX_WAIT_MS, signal }: { waitMs?: number; signal: AbortSignal | undefined },
  ): Promise<boolean> {
    for (const page of pages) {
      const done = this.expect(page.elicitationId, Math.min(waitMs, MAX_WAIT_MS));
      try {
        if ((await ask(page)).action !== 'accept') return false;
        await untilAborted(done.promise, signal);
      } catch (error) {
        signal?.throwIfAborted();
        log.debug('a required page was not shown', messageOf(error));
        return false;
      } finally {
        done.end();
        this.open.delete(page.elicitationId);
      }
    }
    return pages.length > 0;
  }

  private expect(id: string, waitMs: number): { promise: Promise<void>; end: () => void } {
    let end = () => {};
    const promise = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.open.set(id, end);
    if (this.early.delete(id)) end();
    return { promise, end };
  }
}
