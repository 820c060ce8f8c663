/** One task in a browser: its pages, the open dialog, and the limits. Calls run one after another. */
import type { BrowserContext, CDPSession, Dialog, Locator, Page } from 'playwright-core';
import { messageOf } from '../../base/errors.js';
import { ToolCallError, ToolErrorType } from '../../tools/tool-error.js';
import { AllowedDomains } from './allowed-domains.js';
import type { BrowserAgentSettings } from './host.js';
import { type GuardOptions, guardContext, guardPage, watchNavigation } from './navigation-guard.js';
import { PageLog } from './page-log.js';
import { type PageSnapshot, takeSnapshot } from './snapshot.js';

export const ACTION_TIMEOUT_MS = 10_000;
export const NAVIGATION_TIMEOUT_MS = 30_000;
/** After an action: what it starts begins within this time. */
const SETTLE_MS = 100;
const LOAD_TIMEOUT_MS = 3_000;

export interface PageState {
  id: number;
  page: Page;
  log: PageLog;
  snapshot: PageSnapshot | undefined;
  cdp: CDPSession;
  /** Opened by the agent or by a page of its own. */
  isOwn: boolean;
  /** Guarded, and without the user's input. */
  isHeld: boolean;
}

interface OpenDialog {
  dialog: Dialog;
  /** The action that opened it; it ends when the dialog is answered. */
  action: Promise<unknown> | undefined;
}

export class BrowserSession {
  readonly domains: AllowedDomains;
  private readonly guard: GuardOptions;
  dialog: OpenDialog | undefined;
  /** Why the task must end; set once. */
  stopReason: string | undefined;
  /** Shown with the next result, e.g. about a refused download. */
  readonly notes: string[] = [];
  private readonly states = new Map<Page, PageState>();
  private readonly ready = new Map<Page, Promise<PageState>>();
  private selectedPage: Page | undefined;
  private nextId = 1;
  private snapshots = 0;
  private actions = 0;
  private dialogListener: (() => void) | undefined;

  constructor(
    private readonly context: BrowserContext,
    private readonly settings: BrowserAgentSettings,
    /** True: the user's own browser, with pages that are not the agent's. */
    private readonly isForeign: boolean,
  ) {
    this.domains = new AllowedDomains(settings.allowedDomains);
    this.guard = { domains: this.domains, onViolation: (reason) => this.stop(reason) };
  }

  async open(): Promise<void> {
    if (!this.isForeign) await guardContext(this.context, this.guard);
    this.context.on('page', (page) => {
      void page
        .opener()
        .then((opener) => {
          if (!this.isForeign || (opener && this.states.get(opener)?.isHeld)) return this.adopt(page);
          return undefined;
        })
        .catch(() => undefined);
    });
    this.context.on('dialog', (dialog) => this.onDialog(dialog));
    const first = this.isForeign ? undefined : this.context.pages()[0];
    await this.select(await this.adopt(first ?? (await this.context.newPage())));
  }

  /** Closes the tabs that were opened in the user's own browser; the caller closes a browser of ours. */
  async close(): Promise<void> {
    if (!this.isForeign) return;
    const own = [...this.states.values()].filter(({ isOwn }) => isOwn);
    await Promise.all(own.map(({ page }) => page.close().catch(() => undefined)));
    for (const { cdp, isHeld } of this.states.values()) if (isHeld) await ignoreInput(cdp, false);
  }

  /** @throws ToolCallError that ends the task when there have been too many */
  countAction(): void {
    const { maxActionsPerTask } = this.settings;
    if (++this.actions > maxActionsPerTask)
      this.stop(
        `The task has used all of its ${maxActionsPerTask} actions (agents.browser.maxActionsPerTask).`,
      );
    this.requireGoing();
  }

  stop(reason: string): void {
    this.stopReason ??= reason;
  }

  /** @throws ToolCallError of the type that ends the agent */
  requireGoing(): void {
    if (this.stopReason !== undefined)
      throw new ToolCallError(
        ToolErrorType.STOP_EXECUTION,
        `The browser task was stopped. ${this.stopReason}`,
      );
  }

  /** The selected page. @throws ToolCallError when it is closed */
  selected(): PageState {
    const state = this.selectedPage && this.states.get(this.selectedPage);
    if (!state) throw failure('The selected page was closed. Call list_pages and select_page, or new_page.');
    return state;
  }

  /** Pages that can be worked with, by id; those of the user's browser are adopted here. */
  async pages(): Promise<PageState[]> {
    const isOpenToAgent = (page: Page) =>
      !this.isForeign || this.states.get(page)?.isHeld || this.domains.refusal(page.url()) === undefined;
    for (const page of this.context.pages())
      if (isOpenToAgent(page)) await this.adopt(page, { isOwn: !this.isForeign });
    return [...this.states.values()].filter(({ page }) => isOpenToAgent(page)).sort((a, b) => a.id - b.id);
  }

  async pageById(id: number): Promise<PageState> {
    const state = (await this.pages()).find((entry) => entry.id === id);
    if (!state) throw failure(`There is no page ${id}. Call list_pages.`);
    return state;
  }

  isSelected({ page }: PageState): boolean {
    return page === this.selectedPage;
  }

  async select(state: PageState): Promise<void> {
    await this.hold(state);
    this.selectedPage = state.page;
  }

  async newPage(): Promise<PageState> {
    const state = await this.adopt(await this.context.newPage());
    await this.select(state);
    return state;
  }

  async snapshot(): Promise<PageSnapshot> {
    const state = this.selected();
    state.snapshot = await takeSnapshot(state.page, ++this.snapshots, ACTION_TIMEOUT_MS);
    return state.snapshot;
  }

  /** What the latest snapshot says about an element; the uid itself if it is unknown. */
  labelOf(uid: string): string {
    const state = this.selectedPage && this.states.get(this.selectedPage);
    return state?.snapshot?.labels.get(uid) ?? `element ${uid}`;
  }

  url(): string {
    return this.selectedPage?.url() ?? '';
  }

  /** @throws ToolCallError for a uid that is not of the latest snapshot */
  element(uid: string): Locator {
    const { page, snapshot } = this.selected();
    if (!snapshot) throw failure('There is no snapshot of this page yet. Call take_snapshot first.');
    if (!snapshot.labels.has(uid))
      throw failure(`"${uid}" is not in the latest snapshot. Call take_snapshot and use its uids.`);
    return page.getByRef(uid.slice(uid.indexOf('_') + 1));
  }

  /**
   * Runs what may change the page. Ends early where a dialog opens: the page stands still until it is answered.
   * While it runs, the page takes input.
   */
  async act(action: (state: PageState) => Promise<unknown>): Promise<void> {
    const state = this.selected();
    const { page, cdp } = state;
    if (this.settings.disableUserInput) await ignoreInput(cdp, false);
    const running = action(state);
    const opened = new Promise<'dialog'>((resolve) => {
      this.dialogListener = () => resolve('dialog');
    });
    try {
      const end = await Promise.race([running.then(() => 'done' as const), opened]);
      if (end === 'dialog' && this.dialog) {
        this.dialog.action = running.catch(() => undefined);
        return;
      }
      await this.settle(page, opened);
    } finally {
      this.dialogListener = undefined;
      if (this.settings.disableUserInput && !this.dialog) await ignoreInput(cdp, true);
    }
  }

  async answerDialog(answer: 'accept' | 'dismiss', promptText?: string): Promise<string> {
    const open = this.dialog;
    if (!open) throw failure('No dialog is open.');
    this.dialog = undefined;
    const { page } = this.selected();
    await (answer === 'accept' ? open.dialog.accept(promptText) : open.dialog.dismiss());
    await open.action;
    await this.settle(page, NEVER);
    if (this.settings.disableUserInput && !this.dialog) await ignoreInput(this.selected().cdp, true);
    return `Successfully ${answer === 'accept' ? 'accepted' : 'dismissed'} the dialog.`;
  }

  private async settle(page: Page, interrupted: Promise<unknown>): Promise<void> {
    await Promise.race([page.waitForTimeout(SETTLE_MS).catch(() => undefined), interrupted]);
    if (this.dialog) return;
    const loaded = page.waitForLoadState('load', { timeout: LOAD_TIMEOUT_MS }).catch(() => undefined);
    await Promise.race([loaded, interrupted]);
  }

  private onDialog(dialog: Dialog): void {
    const page = dialog.page();
    // Dialogs of the user's own tabs are the user's.
    if (page && this.isForeign && !this.states.get(page)?.isHeld) return;
    this.dialog = { dialog, action: undefined };
    this.dialogListener?.();
  }

  private adopt(page: Page, { isOwn = true } = {}): Promise<PageState> {
    const known = this.ready.get(page);
    if (known) return known;
    const state = this.prepare(page, isOwn);
    this.ready.set(page, state);
    return state;
  }

  private async prepare(page: Page, isOwn: boolean): Promise<PageState> {
    page.on('close', () => {
      this.states.delete(page);
      this.ready.delete(page);
    });
    const cdp = await this.context.newCDPSession(page);
    const log = new PageLog(page);
    const state: PageState = { id: this.nextId++, page, log, snapshot: undefined, cdp, isOwn, isHeld: false };
    this.states.set(page, state);
    if (isOwn) await this.hold(state);
    return state;
  }

  /** From now on the page belongs to the task. Tabs of the user are left alone until the agent selects them. */
  private async hold(state: PageState): Promise<void> {
    if (state.isHeld) return;
    state.isHeld = true;
    const { page, cdp } = state;
    if (this.isForeign) await guardPage(page, this.guard);
    watchNavigation(page, this.guard);
    page.on('download', (download) => {
      const name = JSON.stringify(download.suggestedFilename());
      this.notes.push(`A download (${name}) was refused: downloads are off.`);
      // Without a browser of our own it would go on.
      void download.cancel().catch(() => undefined);
    });
    // With a listener the browser opens no file dialog of its own, which would wait for the user.
    page.on('filechooser', () => this.notes.push('The page asks for a file: upload_file can give it one.'));
    page.on('crash', () => this.notes.push('The page crashed. Reload it with navigate_page.'));
    if (this.settings.disableUserInput) await ignoreInput(cdp, true);
  }
}

const NEVER = new Promise<never>(() => undefined);

export function failure(message: string): ToolCallError {
  return new ToolCallError(ToolErrorType.EXECUTION_FAILED, message);
}

/** What the library says, without its log of attempts. */
export function shortMessage(error: unknown): string {
  const [first = ''] = messageOf(error).split('\n');
  return first.replace(/^[a-zA-Z]+\.[a-zA-Z]+: /, '');
}

/** The user's mouse and keyboard do nothing in the page. A page that is gone needs no change. */
async function ignoreInput(cdp: CDPSession, ignore: boolean): Promise<void> {
  await cdp.send('Input.setIgnoreInputEvents', { ignore }).catch(() => undefined);
}
