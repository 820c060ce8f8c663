/** Commands and agents in the background: their list, the end of their output, and what can be typed into them. */
import { isCommand } from '../../keys/bindings.js';
import type { Key } from '../../keys/key.js';
import type { Look } from '../../look.js';
import { cleanText } from '../../text/clean.js';
import { fitSpans, paintSpans, type Span, span } from '../../text/spans.js';
import { type BackgroundTask, backgroundTasks, type TaskSources } from './background-tasks.js';

const OUTPUT_LINES = 200;

export class TasksPane {
  private selected = 0;
  private isInput = false;
  private scroll = 0;

  /** Lines that are being typed to agents. */
  private readonly drafts = new Map<string, string>();

  constructor(
    private readonly sources: TaskSources,
    private readonly close: () => void,
  ) {}

  lines(look: Look, height: number): string[] {
    const tasks = this.tasks();
    const { theme, paint } = look;
    const line = (spans: Span[]) => paintSpans(fitSpans(spans, look.width), paint);
    const dim = { color: theme.text.secondary };
    if (tasks.length === 0) return [line([span(' No background tasks. (esc to close)', dim)])];
    this.selected = Math.min(this.selected, tasks.length - 1);
    const tabs = tasks.map(({ id, state, title }, index): string => {
      const isChosen = index === this.selected;
      const color = isChosen ? theme.text.accent : theme.text.secondary;
      return line([
        span(isChosen ? ' ▸ ' : '   ', { color }),
        span(`${id}  ${state}  `, { color }),
        span(cleanText(title).replaceAll('\n', ' '), {
          color: isChosen ? theme.text.primary : theme.text.secondary,
        }),
      ]);
    });
    const isInput = this.isInput && tasks[this.selected]?.isRunning === true;
    const hint = isInput
      ? ' typing into the task (shift+tab to leave)'
      : ' ↑↓ choose · tab type into it · ctrl+k kill · pageup/pagedown scroll · esc close';
    const room = Math.max(1, height - Math.min(tabs.length, 4) - 2);
    return [
      line([span(' Background tasks', { color: theme.text.accent, bold: true })]),
      ...tabs.slice(Math.max(0, this.selected - 3), Math.max(4, this.selected + 1)),
      ...this.output(room).map((text) => line([span('   '), span(text, dim)])),
      line([span(hint, dim)]),
    ];
  }

  /** @returns whether the pane has taken it */
  handle(key: Key): boolean {
    const task = this.tasks()[this.selected];
    this.isInput &&= task?.isRunning === true;
    if (this.isInput && task) {
      if (isCommand(key, 'background.unfocus')) this.isInput = false;
      else task.type(key);
      return true;
    }
    if (isCommand(key, 'background.escape')) this.close();
    else if (isCommand(key, 'nav.up')) this.choose(-1);
    else if (isCommand(key, 'nav.down')) this.choose(1);
    else if (isCommand(key, 'scroll.pageUp')) this.scroll += 5;
    else if (isCommand(key, 'scroll.pageDown')) this.scroll = Math.max(0, this.scroll - 5);
    else if (isCommand(key, 'background.kill') && task) task.end();
    else if (isCommand(key, 'background.unfocusList') && task?.isRunning) this.isInput = true;
    else return false;
    return true;
  }

  private tasks(): BackgroundTask[] {
    return backgroundTasks(this.sources, this.drafts);
  }

  private choose(step: number): void {
    const { length } = this.tasks();
    this.scroll = 0;
    if (length > 0) this.selected = (this.selected + step + length) % length;
  }

  private output(room: number): string[] {
    const task = this.tasks()[this.selected];
    const all = (task?.output(OUTPUT_LINES) ?? []).map((text) => cleanText(text).replaceAll('\n', ' '));
    const end = Math.max(room, all.length - this.scroll);
    return all.slice(Math.max(0, end - room), end);
  }
}
