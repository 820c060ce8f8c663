import { describe, expect, it } from 'vitest';
import { ApprovalMode } from '../../protocol/confirmation.js';
import { allowedWhenUntrusted, type FolderFeature, isAllowed, modeWhenUntrusted } from './untrusted.js';

/** Every row: what belongs to the folder is disabled, what belongs to the user is allowed. */
const ROWS: Record<FolderFeature, boolean> = {
  workspace_settings: false,
  project_env: false,
  user_env: true,
  hooks: false,
  user_hooks: true,
  commands: false,
  user_commands: true,
  skills: false,
  user_skills: true,
  agents: false,
  user_agents: true,
  policies: false,
  user_policies: true,
  allow_rules: false,
  context_files: false,
  user_context_files: true,
  mcp_servers: false,
  discovered_tools: false,
  workspace_extensions: false,
  user_extensions: true,
  extension_changes: false,
  auto_accept: false,
  yolo: false,
  plan: true,
  always_allow: false,
  include_directories: false,
  user_include_directories: true,
  git_unasked: false,
  credentials_for_commands: false,
};

describe('an untrusted folder', () => {
  it.each(Object.entries(ROWS) as [FolderFeature, boolean][])('is allowed %s: %s', (kind, allowed) => {
    expect(allowedWhenUntrusted(kind)).toBe(allowed);
    expect(isAllowed(kind, { trusted: false })).toBe(allowed);
    expect(isAllowed(kind, { trusted: true })).toBe(true);
  });

  it.each(['toString', '__proto__', 'constructor', 'something_new'])(
    'is refused everything that is not in the table: %s',
    (kind) => {
      expect(allowedWhenUntrusted(kind as FolderFeature)).toBe(false);
    },
  );

  it('keeps plan mode, which is stricter, and turns the permissive modes into the default', () => {
    const { DEFAULT, AUTO_EDIT, YOLO, PLAN } = ApprovalMode;
    expect([DEFAULT, AUTO_EDIT, YOLO, PLAN].map(modeWhenUntrusted)).toEqual([
      DEFAULT,
      DEFAULT,
      DEFAULT,
      PLAN,
    ]);
  });
});
