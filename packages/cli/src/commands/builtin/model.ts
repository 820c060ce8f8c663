/** `/model set <name> [--persist]`. */
import { type Action, type Completion, failure, info } from './define.js';
import { engineOf } from './needs.js';

const PERSIST = '--persist';

export const set: Action = async (context, args) => {
  const words = args.split(/\s+/).filter(Boolean);
  const [name, ...others] = words.filter((word) => word !== PERSIST);
  if (!name || others.length > 0) return failure(`Name one model: /model set <name> [${PERSIST}]`);
  const config = engineOf(context);
  await context.ui.app.changeModel(name);
  if (words.includes(PERSIST)) await context.ui.app.changeSetting('user', 'model.name', name);
  const used = config.getModel();
  const shown = used === name ? name : `${name} (${used})`;
  return info(`Model set to ${shown}${words.includes(PERSIST) ? ' (saved for future sessions)' : ''}.`);
};

export const completeModel: Completion = ({ services }, partialArg) => {
  const names =
    services.config
      ?.getModelCatalog()
      .list()
      .map(({ name }) => name) ?? [];
  return names.filter((name) => name.startsWith(partialArg));
};
