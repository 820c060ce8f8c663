/** All checks in the order of the report. Disk comes before sign-in, which makes credential files private. */
import type { Check } from './check.js';
import { disk } from './disk.js';
import { environment } from './environment.js';
import { files } from './files.js';
import { guards } from './guards.js';
import { localModels } from './local-models.js';
import { model } from './model.js';
import { sandbox } from './sandbox.js';
import { settings } from './settings.js';
import { signIn } from './sign-in.js';
import { terminal } from './terminal.js';
import { tools } from './tools.js';
import { trust } from './trust.js';
import { versionNode } from './version-node.js';

export const CHECKS: readonly Check[] = [
  versionNode,
  terminal,
  settings,
  files,
  trust,
  guards,
  environment,
  disk,
  signIn,
  model,
  localModels,
  tools,
  sandbox,
];
