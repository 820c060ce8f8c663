/** Keeps the browser inside the allowed domains: other requests fail, and opening another page ends the task. */
import type { BrowserContext, Frame, Page, Request, Route } from 'playwright-core';
import type { AllowedDomains } from './allowed-domains.js';

export interface GuardOptions {
  domains: AllowedDomains;
  /** Told why the task must end. */
  onViolation: (reason: string) => void;
}

/** For a browser of our own: every page, also those that pages open, from their first request on. */
export async function guardContext(context: BrowserContext, options: GuardOptions): Promise<void> {
  await context.route(ANY, (route) => judge(route, options));
}

/** Of a browser that the user works with, only the agent's pages are held back. */
export async function guardPage(page: Page, options: GuardOptions): Promise<void> {
  await page.route(ANY, (route) => judge(route, options));
}

/** Redirects, history and pages without a request are not routed; they are checked when they happen. */
export function watchNavigation(page: Page, { domains, onViolation }: GuardOptions): void {
  page.on('request', (request) => {
    if (!request.redirectedFrom() || !isTopLevel(request)) return;
    const refusal = domains.refusal(request.url());
    if (refusal !== undefined) onViolation(refusal);
  });
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || isErrorPage(frame)) return;
    const refusal = domains.refusal(frame.url());
    if (refusal !== undefined) onViolation(refusal);
  });
}

const ANY = /.*/;

async function judge(route: Route, { domains, onViolation }: GuardOptions): Promise<void> {
  const request = route.request();
  const refusal = request.isNavigationRequest()
    ? domains.refusal(request.url())
    : domains.allowsHost(hostOf(request.url()))
      ? undefined
      : 'This host is not allowed.';
  if (refusal !== undefined && isTopLevel(request)) onViolation(refusal);
  // The page may be gone by now.
  await (refusal === undefined ? route.continue() : route.abort('blockedbyclient')).catch(() => undefined);
}

function isTopLevel(request: Request): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame().parentFrame() === null;
  } catch {
    // The first request of a new tab comes before its frame.
    return true;
  }
}

function isErrorPage(frame: Frame): boolean {
  return frame.url().startsWith('chrome-error:');
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}
