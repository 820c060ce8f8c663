/** Which servers of a plugin go into settings.json: never in the place of one that the user has. */
import type { ReportRow } from '../types.js';
import type { HomeManifest } from './home-manifest.js';
import { isEqual, type Servers } from './home-settings.js';

export function planServers(
  servers: Servers,
  context: { current: Servers; old: HomeManifest | undefined; owners: ReadonlyMap<string, string> },
): { put: Servers; rows: ReportRow[] } {
  const { current, old, owners } = context;
  const rows: ReportRow[] = [];
  const put = Object.entries(servers).filter(([name, server]) => {
    const source = `mcpServers.${name}`;
    const skip = (reason: string) => rows.push({ action: 'skipped', kind: 'mcp-server', source, reason });
    const owner = owners.get(`mcpServers/${name}`);
    const isOwn = old?.groups.mcpServers.includes(name) === true;
    if (owner !== undefined) skip(`the server of the plugin ${owner} has the same name`);
    else if (current[name] !== undefined && !isOwn && !isEqual(current[name], server))
      skip('your settings.json has another server of that name, which is kept');
    else return true;
    return false;
  });
  return { put: Object.fromEntries(put), rows };
}
