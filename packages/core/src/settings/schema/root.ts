/** The root of a settings file: single keys and the sections. */
import { ADMIN } from './admin.js';
import { ADVANCED } from './advanced.js';
import { AGENTS } from './agents.js';
import { CONTEXT } from './context.js';
import { CONTEXT_MANAGEMENT } from './context-management.js';
import { on, type SettingDefinition, type SettingsSection } from './definition.js';
import { EXPERIMENTAL } from './experimental.js';
import { EXTENSIONS, HOOKS, HOOKS_CONFIG, SKILLS } from './extensions-skills-hooks.js';
import { GENERAL } from './general.js';
import { MCP, MCP_SERVER } from './mcp.js';
import { MODEL, MODEL_CONFIGS } from './model.js';
import { BILLING, IDE, OUTPUT, PRIVACY } from './output-privacy-ide-billing.js';
import { SECURITY } from './security.js';
import { TELEMETRY } from './telemetry.js';
import { TOOLS } from './tools.js';
import { UI } from './ui.js';

export const SETTINGS = {
  $schema: { kind: 'string', description: 'Address of the schema, for editors.' },
  mcpServers: {
    kind: 'object',
    default: {},
    merge: 'shallow',
    parameter: 'mcpServers',
    live: true,
    items: MCP_SERVER,
    description: 'MCP servers by name.',
  },
  policyPaths: {
    kind: 'array',
    default: [],
    merge: 'union',
    restart: true,
    // A project must not add policies in the user's name.
    from: 'user_and_system',
    description: 'Policy files or folders of the user, as --policy.',
    parameter: 'policyPaths',
    live: true,
  },
  adminPolicyPaths: {
    kind: 'array',
    default: [],
    merge: 'union',
    restart: true,
    from: 'system',
    description: 'Policy files or folders of the administrator.',
    parameter: 'adminPolicyPaths',
  },
  trustedFolders: {
    kind: 'array',
    default: [],
    merge: 'union',
    from: 'user_and_system',
    description: 'Folders that are trusted, each as TRUST_FOLDER in trustedFolders.json.',
  },
  useWriteTodos: on('The model keeps a list of todos (write_todos).', {
    dialog: true,
    parameter: 'useWriteTodos',
    live: true,
  }),
  general: { kind: 'object', description: 'General.', properties: GENERAL },
  output: { kind: 'object', description: 'Output.', parameter: 'output', properties: OUTPUT },
  privacy: { kind: 'object', description: 'Privacy.', properties: PRIVACY },
  ide: { kind: 'object', description: 'Editor companion.', properties: IDE },
  billing: { kind: 'object', description: 'Billing.', parameter: 'billing', properties: BILLING },
  ui: { kind: 'object', description: 'Screen.', properties: UI },
  model: { kind: 'object', description: 'Model.', properties: MODEL },
  modelConfigs: {
    kind: 'object',
    description: 'Model presets.',
    parameter: 'models.configs',
    properties: MODEL_CONFIGS,
  },
  agents: {
    kind: 'object',
    description: 'Agents.',
    properties: AGENTS,
  },
  context: { kind: 'object', description: 'Context.', properties: CONTEXT },
  tools: { kind: 'object', description: 'Tools.', properties: TOOLS },
  mcp: { kind: 'object', description: 'MCP.', properties: MCP },
  security: { kind: 'object', description: 'Security.', properties: SECURITY },
  advanced: { kind: 'object', description: 'Advanced.', properties: ADVANCED },
  experimental: { kind: 'object', description: 'Experiments.', properties: EXPERIMENTAL },
  extensions: { kind: 'object', description: 'Extensions.', properties: EXTENSIONS },
  skills: { kind: 'object', description: 'Skills.', properties: SKILLS },
  hooksConfig: { kind: 'object', description: 'Hook switches.', properties: HOOKS_CONFIG },
  hooks: { kind: 'object', description: 'Hooks.', properties: HOOKS },
  contextManagement: {
    kind: 'object',
    description: 'Context limits.',
    parameter: 'context.limits',
    properties: CONTEXT_MANAGEMENT,
  },
  admin: {
    kind: 'object',
    description: "An organisation's controls. They come from its server and have no effect in a file.",
    from: 'remote',
    properties: ADMIN,
  },
  telemetry: {
    kind: 'object',
    restart: true,
    shorthand: 'enabled',
    description: 'OpenTelemetry. true stands for {"enabled": true}.',
    properties: TELEMETRY,
  },
} as const satisfies SettingsSection;

export const ROOT: SettingDefinition = {
  kind: 'object',
  description: 'Settings of the gemini command.',
  properties: SETTINGS,
};
