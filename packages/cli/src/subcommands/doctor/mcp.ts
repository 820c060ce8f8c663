/** Names MCP servers that cannot work. It starts none: a server may install packages, write files or use the network. */
import { environmentOf, loadMcp, readExtensions, setting } from '@gemini-cli/core';
import { type Check, count, ok, skipped, warning } from './check.js';

export const mcp: Check = {
  id: 'mcp',
  title: 'MCP servers',
  async run({ settings, cwd, env, trust }) {
    if (!setting(settings.merged, 'admin.mcp.enabled')) return skipped('disabled by your organisation');
    const { configuredServers, visibleProblem } = await loadMcp();
    const environment = environmentOf(env, cwd, settings.merged.general?.proxy);
    const folder = { settings, environment, cwd, trust };
    // What is wrong with extensions is another check's.
    const { extensionServers } = await readExtensions(folder, {}, () => undefined);
    const request = { ...folder, isTrusted: trust.trusted, extensionServers, notice: () => undefined };
    const servers = configuredServers(request);
    if (servers.length === 0) return ok('none is configured');
    const off = servers.flatMap(({ name, block }) => (block ? `${name}: ${block.reason}` : []));
    const problems = servers.flatMap((server) => visibleProblem(server, request) ?? []);
    const summary = `${count(servers.length, 'server')}, ${servers.length - off.length} enabled`;
    const hint = 'gemini mcp list connects to them.';
    if (problems.length === 0) return ok(summary, ...off, hint);
    return warning(
      [summary, ...off, ...problems],
      'Correct these in mcpServers of settings.json, or disable them: gemini mcp disable <name>.',
    );
  },
};
