/** Opens the verbs that change extensions, for the folder the command was started in. */
import type { ExtensionActions } from '../../commands/extension-actions.js';
import { extensionActions } from '../../extensions/actions.js';
import type { SubcommandIo } from '../subcommand.js';
import { openFolder } from './open.js';

export async function openActions(io: SubcommandIo): Promise<ExtensionActions> {
  const { environment, settings, trust } = await openFolder(io);
  return extensionActions(() => ({ environment, settings, isTrusted: trust.trusted }));
}
