/** Opens the verbs that change extensions, for the folder the command was started in. */
import type { ExtensionActions } from '../../commands/extension-actions.js';
import { extensionActions } from '../../extensions/actions.js';
import type { SubcommandIo } from '../subcommand.js';
import { openExtensions } from './open.js';

export async function openActions(io: SubcommandIo): Promise<ExtensionActions> {
  const { folder } = await openExtensions(io);
  const { environment, settings, trust } = folder;
  return extensionActions(() => ({ environment, settings, isTrusted: trust.trusted }));
}
