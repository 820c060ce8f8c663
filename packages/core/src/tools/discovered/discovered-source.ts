/** The project's discovery command as a source of tools. Loads and runs nothing while no command is set. */
import { messageOf } from '../../base/errors.js';
import type { MessageBus } from '../../bus/message-bus.js';
import type { ToolSource } from '../tool-registry.js';
import { DiscoveredTool, type DiscoveryHost } from './discovered-tool.js';

export class DiscoveredSource implements ToolSource {
  constructor(
    private readonly host: DiscoveryHost,
    private readonly bus: MessageBus,
    private readonly signal: AbortSignal,
    private readonly notice: (message: string) => void,
  ) {}

  /** Never rejects: a failure is reported to the user. */
  async discover(): Promise<DiscoveredTool[]> {
    const commands = this.host.getDiscoveryCommands();
    if (!commands) return [];
    const { discoverOffers } = await import('./run-commands.js');
    try {
      const { offers, refused } = await discoverOffers(this.host, commands.discover, this.signal);
      // Trust may have been revoked meanwhile.
      if (!this.host.getDiscoveryCommands()) return [];
      if (refused.length > 0)
        this.notice(`tools.discoveryCommand printed entries that are not tools: ${refused.join(', ')}`);
      return offers.map((offer) => new DiscoveredTool(this.host, this.bus, offer));
    } catch (error) {
      if (!this.signal.aborted) this.notice(`tools.discoveryCommand brought no tools: ${messageOf(error)}.`);
      return [];
    }
  }
}
