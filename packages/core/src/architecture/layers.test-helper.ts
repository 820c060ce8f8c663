/** The rows of docs/architecture.md, for both packages. */
import type { Layers } from './import-rules.test-helper.js';

export const CORE: Layers = {
  rows: [
    ['base'],
    ['protocol'],
    ['platform'],
    [
      'bus',
      'context',
      'memory',
      'model',
      'policy',
      'prompts',
      'sessions',
      'settings',
      'skills',
      'telemetry',
      'workspace',
    ],
    ['tools'],
    ['agent'],
    ['agents', 'hooks', 'mcp'],
    ['extensions', 'ide'],
    ['engine'],
    ['config', 'project'],
  ],
  contracts: new Set([
    'telemetry/record.ts',
    'bus/message-bus.ts',
    'model/content-generator.ts',
    'model/model-note.ts',
    'model/utility/utility-model.ts',
    'workspace/host.ts',
  ]),
};

export const CLI: Layers = {
  rows: [
    ['command-line', 'input', 'terminal', 'update'],
    ['engine', 'output'],
    ['history', 'sessions'],
    ['commands'],
    ['completion', 'extensions'],
    ['acp', 'headless', 'subcommands', 'ui'],
    ['boot'],
  ],
  contracts: new Set(),
};
