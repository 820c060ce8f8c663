/** Console messages and requests of one page, since its last navigation and the one before. Bounded. */
import type { Page, Request } from 'playwright-core';

export interface LoggedMessage {
  id: number;
  type: string;
  text: string;
  location: string;
}

export interface LoggedRequest {
  id: number;
  request: Request;
}

const MAX_ENTRIES = 1_000;
const MAX_TEXT = 2_000;

export class PageLog {
  messages: LoggedMessage[] = [];
  requests: LoggedRequest[] = [];
  private nextMessage = 1;
  private nextRequest = 1;

  constructor(page: Page) {
    page.on('console', (message) => {
      const { url, lineNumber } = message.location();
      this.addMessage(message.type(), message.text(), url ? `${url}:${lineNumber + 1}` : '');
    });
    page.on('pageerror', (error) => this.addMessage('error', `Uncaught ${error.message}`, ''));
    page.on('request', (request) => {
      if (isMainNavigation(request, page)) this.clear();
      push(this.requests, { id: this.nextRequest++, request });
    });
  }

  private addMessage(type: string, text: string, location: string): void {
    push(this.messages, { id: this.nextMessage++, type, text: text.slice(0, MAX_TEXT), location });
  }

  private clear(): void {
    this.messages = [];
    this.requests = [];
  }
}

/** A new document in the page itself, not in a frame; the hops of a redirect belong to their first request. */
function isMainNavigation(request: Request, page: Page): boolean {
  return request.isNavigationRequest() && !request.redirectedFrom() && request.frame() === page.mainFrame();
}

function push<T>(list: T[], entry: T): void {
  list.push(entry);
  if (list.length > MAX_ENTRIES) list.shift();
}
