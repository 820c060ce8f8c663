/**
 * Messages about MCP servers. In the terminal the first problem is one line that points to `/mcp list`; the full
 * messages are shown once the user works with servers. Headless, all are shown. None is shown twice.
 */
import { visibleText } from '../base/visible-text.js';

export class Reports {
  private readonly said = new Set<string>();
  private readonly held: string[] = [];
  private isDetailed: boolean;
  private hasHinted = false;

  constructor(private readonly options: { notice: (message: string) => void; isInteractive: boolean }) {
    this.isDetailed = !options.isInteractive;
  }

  problem(message: string): void {
    if (this.said.has(message)) return;
    this.said.add(message);
    if (this.isDetailed) {
      this.options.notice(visibleText(message));
      return;
    }
    this.held.push(message);
    if (this.hasHinted) return;
    this.hasHinted = true;
    this.options.notice('There are problems with MCP servers. Run /mcp list to see them.');
  }

  /** Not a problem; said only to a user who works with servers. */
  info(message: string): void {
    if (this.isDetailed && this.options.isInteractive) this.options.notice(visibleText(message));
  }

  /** The user has used `/mcp`, a tool or a prompt of a server: problems are shown in full from now on. */
  showDetails(): void {
    if (this.isDetailed) return;
    this.isDetailed = true;
    for (const message of this.held.splice(0)) this.options.notice(visibleText(message));
  }
}
