/** All checks in the order of the report. Disk comes before sign-in, which makes credential files private. */
import { agents } from './agents.js';
import type { Check } from './check.js';
import { disk } from './disk.js';
import { environment } from './environment.js';
import { files } from './files.js';
import { guards } from './guards.js';
import { hooks } from './hooks.js';
import { localModels } from './local-models.js';
import { mcp } from './mcp.js';
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
  hooks,
  agents,
  environment,
  disk,
  signIn,
  model,
  localModels,
  mcp,
  tools,
  sandbox,
];
