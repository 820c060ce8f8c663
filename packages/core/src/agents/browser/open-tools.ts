/** Opens a browser for one run of the agent and gives it its tools. */
import type { MessageBus } from '../../bus/message-bus.js';
import type { AgentRunScene, AgentRunTools } from '../types.js';
import { BrowserSession } from './browser-session.js';
import { BrowserTool, type BrowserToolEntry, CallQueue } from './browser-tool.js';
import { requireConsent } from './consent.js';
import type { BrowserAgentHost } from './host.js';
import { openBrowser } from './launch.js';
import { type BrowserStart, browserStart, isVisual } from './session-settings.js';
import { TaskMetrics } from './task-metrics.js';
import { EMULATION_TOOLS } from './tools/emulation.js';
import emulationProse from './tools/emulation.md';
import { INPUT_TOOLS } from './tools/input.js';
import inputProse from './tools/input.md';
import { PAGE_TOOLS } from './tools/pages.js';
import pageProse from './tools/pages.md';
import { READING_TOOLS } from './tools/reading.js';
import readingProse from './tools/reading.md';
import { VISUAL_TOOLS } from './tools/visual.js';
import visualProse from './tools/visual.md';

/**
 * @param isSuccess whether the agent has reported success, asked when it ends
 * @throws UserError where the user does not consent, or no browser can be had
 */
export async function openBrowserTools(
  host: BrowserAgentHost,
  run: AgentRunScene,
  isSuccess: () => boolean = () => false,
): Promise<AgentRunTools> {
  const start = browserStart(host);
  await requireConsent(host.globalDir, run);
  run.signal.throwIfAborted();
  const metrics = new TaskMetrics(host, start);
  const { session, close } = await open(host, start).catch((error: Error) => {
    metrics.opened(error);
    throw error;
  });
  metrics.opened();
  const tools = browserTools(host, session, run.bus);
  metrics.offered(tools.length);
  let closed: Promise<void> | undefined;
  const closeOnce = () => {
    closed ??= metrics.closing(isSuccess(), close);
    return closed;
  };
  run.signal.addEventListener('abort', () => void closeOnce(), { once: true });
  return { tools, close: closeOnce };
}

async function open(host: BrowserAgentHost, start: BrowserStart) {
  const settings = host.settings();
  const browser = await openBrowser(start, settings.allowedDomains, host.environment);
  const session = new BrowserSession(browser.context, settings, browser.isForeign);
  const close = async () => {
    await session.close();
    await browser.close();
  };
  try {
    await session.open();
    return { session, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

export function browserTools(
  host: BrowserAgentHost,
  session: BrowserSession,
  bus: MessageBus,
): BrowserTool[] {
  const shared = { host, session, queue: new CallQueue() };
  const groups: [readonly BrowserToolEntry[], string][] = [
    [PAGE_TOOLS, pageProse],
    [READING_TOOLS, readingProse],
    [INPUT_TOOLS, inputProse],
    [EMULATION_TOOLS, emulationProse],
    ...(isVisual(host) ? [[VISUAL_TOOLS, visualProse] as [readonly BrowserToolEntry[], string]] : []),
  ];
  return groups.flatMap(([entries, prose]) => {
    const texts = proseByTool(prose);
    return entries.map((entry) => new BrowserTool(entry, texts.get(entry.name) ?? '', shared, bus));
  });
}

/** Each `# name` of the Markdown begins the text of one tool. */
function proseByTool(markdown: string): Map<string, string> {
  const sections = markdown.split(/^# /m).slice(1);
  return new Map(
    sections.map((section) => {
      const end = section.indexOf('\n');
      return [section.slice(0, end).trim(), section.slice(end + 1)];
    }),
  );
}
