/** How long a turn waits for servers, and what the user is told about them. */
import { describe, expect, it, vi } from 'vitest';
import { McpServerError } from './errors.js';
import { type ManagerParts, MCPDiscoveryState, McpClientManager } from './mcp-client-manager.js';

const NO_PINS = {
  hasChanged: () => false,
  describeChange: async () => '',
  approved: () => undefined,
  isHeldBack: () => false,
  describeHeldBack: async () => '',
  load: async () => undefined,
};

function managerOf(parts: Partial<ManagerParts>) {
  const notices: string[] = [];
  const manager = new McpClientManager({
    resolve: async () => [{ name: 'a', config: { command: 'x' } }],
    transports: () => [],
    pins: NO_PINS,
    notice: (message) => notices.push(message),
    isInteractive: false,
    firstTurnLimitMs: 20,
    ...parts,
  });
  return { manager, notices };
}

const never = () => [() => new Promise<never>(() => undefined)];

describe('A turn', () => {
  it('waits for a server that hangs only once, and says so once', async () => {
    const { manager, notices } = managerOf({ transports: never });
    expect(manager.discoveryState).toBe(MCPDiscoveryState.NOT_STARTED);
    await manager.ready();
    expect(notices).toEqual(['MCP server "a" is still connecting; this turn runs without it.']);
    expect(manager.waitingFor()).toEqual([]);
    expect(manager.discoveryState).toBe(MCPDiscoveryState.COMPLETED);
    await manager.ready();
    expect(notices).toHaveLength(1);
  });

  it('waits for many servers with one listener on its signal: Node warns of more than ten', async () => {
    const resolve = async () =>
      Array.from({ length: 20 }, (_, index) => ({ name: `s${index}`, config: { command: 'x' } }));
    const { manager } = managerOf({ resolve, transports: never });
    const { signal } = new AbortController();
    const adding = vi.spyOn(signal, 'addEventListener');
    await manager.ready(signal);
    expect(manager.servers()).toHaveLength(20);
    expect(adding).toHaveBeenCalledOnce();
  });

  it('stops waiting when it is cancelled', async () => {
    const { manager, notices } = managerOf({ transports: never, firstTurnLimitMs: 60_000 });
    const cancelling = new AbortController();
    const waiting = manager.ready(cancelling.signal);
    await vi.waitFor(() => expect(manager.waitingFor()).toEqual(['a']), 10_000);
    cancelling.abort();
    await waiting;
    expect(notices).toEqual([]);
    expect(manager.waitingFor()).toEqual(['a']);
  });
});

describe('A server that hangs', () => {
  it('holds up neither a change of the others nor its own restart', async () => {
    const names = ['a'];
    const { manager } = managerOf({
      resolve: async () => names.map((name) => ({ name, config: { command: 'x' } })),
      transports: never,
    });
    void manager.start();
    await manager.refresh();
    names.push('b');
    await manager.refresh();
    expect(manager.servers().map(({ server }) => server.name)).toEqual(['a', 'b']);
    await manager.settled(20);
    expect(manager.waitingFor()).toEqual(['a', 'b']);
  });
});

describe('Problems', () => {
  const broken: Partial<ManagerParts> = {
    resolve: async () => ['a', 'b'].map((name) => ({ name, config: {} })),
  };

  it('are all said in a headless run, each once', async () => {
    const { manager, notices } = managerOf(broken);
    await manager.start();
    await manager.restartAll();
    expect(notices.sort()).toEqual(
      ['a', 'b'].map((name) => expect.stringContaining(`MCP server "${name}": `)),
    );
  });

  it('are all said in an editor, which has no /mcp', async () => {
    const { manager, notices } = managerOf({ ...broken, isInteractive: true });
    await manager.start();
    expect(notices).toHaveLength(2);
  });

  it('are one line in the terminal until the user works with servers', async () => {
    const { manager, notices } = managerOf({ ...broken, isInteractive: true, hasScreen: true });
    await manager.start();
    expect(notices).toEqual(['There are problems with MCP servers. Run /mcp list to see them.']);
    manager.reports.showDetails();
    expect(notices).toHaveLength(3);
  });

  it('are said at once where the user must sign in, and are over when the server is connected', async () => {
    const over: string[] = [];
    const { manager, notices } = managerOf({
      isInteractive: true,
      hasScreen: true,
      noticeOver: (message) => over.push(message),
      transports: () => [
        () => Promise.reject(new McpServerError('a', 'unauthorized', 'it asks for a sign-in.')),
      ],
    });
    await manager.start();
    expect(notices).toEqual(['MCP server "a": it asks for a sign-in.']);
    manager.reports.problem('broken', { server: 'b' });
    manager.reports.recovered('a');
    expect(over).toEqual(['MCP server "a": it asks for a sign-in.']);
    manager.reports.recovered('b');
    expect(over.slice(1)).toEqual(notices.slice(1));
    manager.reports.showDetails();
    expect(notices).toHaveLength(2);
  });

  it('are said again in the terminal when they come back after the server was connected', () => {
    const { manager, notices } = managerOf({
      isInteractive: true,
      hasScreen: true,
      noticeOver: () => undefined,
    });
    const hint = 'There are problems with MCP servers. Run /mcp list to see them.';
    const crash = () => manager.reports.problem('it crashed', { server: 'a' });
    const signIn = () => manager.reports.problem('sign in', { server: 'a', isUrgent: true });
    for (const round of [1, 2]) {
      crash();
      signIn();
      crash();
      expect(notices).toEqual(Array.from({ length: round }, () => [hint, 'sign in']).flat());
      manager.reports.recovered('a');
    }
  });

  it('are not said again in a headless run, whose lines stay', () => {
    const { manager, notices } = managerOf({ noticeOver: () => undefined });
    for (let round = 0; round < 2; round++) {
      manager.reports.problem('it crashed', { server: 'a' });
      manager.reports.recovered('a');
    }
    expect(notices).toEqual(['it crashed']);
  });

  it('of the configuration do not end the session', async () => {
    const resolve = () => Promise.reject(new Error('no file'));
    const { manager, notices } = managerOf({ resolve });
    await manager.ready();
    expect(notices).toEqual(['MCP servers could not be started: no file']);
  });
});
