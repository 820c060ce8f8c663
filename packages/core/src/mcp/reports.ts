/**
 * Messages about MCP servers. In the terminal the first problem is one line that points to `/mcp list`; the full
 * messages are shown once the user works with servers, and at once where the user must do something. Headless and in an
 * editor, all are shown. None is shown twice. In the terminal, what was said about a server is over when it is connected.
 */
import { visibleText } from '../base/visible-text.js';

export interface ReportPorts {
  notice: (message: string) => void;
  /** What was said with these words holds no more. */
  noticeOver?: (message: string) => void;
  isInteractive: boolean;
  /** The user has `/mcp`. */
  hasScreen?: boolean;
}

interface Problem {
  message: string;
  server: string | undefined;
}

const HINT = 'There are problems with MCP servers. Run /mcp list to see them.';

export class Reports {
  private readonly said = new Set<string>();
  private held: Problem[] = [];
  private shown: Problem[] = [];
  private isDetailed: boolean;
  private hasHinted = false;

  constructor(private readonly ports: ReportPorts) {
    this.isDetailed = !ports.isInteractive;
  }

  problem(message: string, { server, isUrgent = false }: { server?: string; isUrgent?: boolean } = {}): void {
    if (this.said.has(message)) return;
    this.said.add(message);
    if (this.isDetailed || isUrgent || !this.ports.hasScreen) {
      this.show({ message, server });
      return;
    }
    this.held.push({ message, server });
    if (this.hasHinted) return;
    this.hasHinted = true;
    this.ports.notice(HINT);
  }

  /** Not a problem; said only to a user who works with servers. */
  info(message: string): void {
    if (this.isDetailed && this.ports.isInteractive) this.ports.notice(visibleText(message));
  }

  /** The user has used `/mcp`, a tool or a prompt of a server: problems are shown in full from now on. */
  showDetails(): void {
    if (this.isDetailed) return;
    this.isDetailed = true;
    for (const problem of this.held.splice(0)) this.show(problem);
  }

  /** The server is connected. In the terminal its lines go, so that it is news when a problem comes back. */
  recovered(server: string): void {
    const isOther = (problem: Problem) => problem.server !== server;
    const gone = [...this.shown, ...this.held].filter((problem) => !isOther(problem));
    for (const { message } of this.shown.filter((problem) => !isOther(problem)))
      this.ports.noticeOver?.(visibleText(message));
    if (this.ports.isInteractive) for (const { message } of gone) this.said.delete(message);
    this.shown = this.shown.filter(isOther);
    this.held = this.held.filter(isOther);
    if (!this.hasHinted || this.held.length > 0) return;
    this.hasHinted = false;
    this.ports.noticeOver?.(HINT);
  }

  private show(problem: Problem): void {
    this.shown.push(problem);
    this.ports.notice(visibleText(problem.message));
  }
}
