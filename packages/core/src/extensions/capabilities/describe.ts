/** Says in words what an extension may use, for the consent text and `validate`. Pure. */
import { visibleName } from '../../base/visible-text.js';
import type { ExtensionCapabilities } from '../../protocol/extension-capabilities.js';

/** One line per kind of right. Undefined: the extension declares none and is not restricted. */
export function describeCapabilities(capabilities: ExtensionCapabilities | undefined): string[] {
  if (!capabilities) {
    return ['Its hooks and MCP servers are not restricted: it declares no capabilities.'];
  }
  const { files, network, executables } = capabilities;
  return [
    `Reads files: ${listed(files.read, 'only its own folder')}`,
    `Writes files: ${listed(files.write, 'none')}`,
    `Network: ${listed(network, 'none')}`,
    `Runs programs: ${listed(executables, 'only those that its hooks and MCP servers name')}`,
    'Everything else is denied to its hooks and MCP servers, and you are told what they tried.',
  ];
}

function listed(items: readonly string[], none: string): string {
  return items.length === 0 ? none : items.map((item) => visibleName(item)).join(', ');
}
