// Seed 004 §8.3: environment variables, /clear, ReadFileTool. Changed: where things are imported from.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReadFileTool } from '@gemini-cli/core';
import { clearCommand } from '../../../packages/cli/src/commands/builtin-table/conversation.js';
import type { CommandContext } from '../../../packages/cli/src/commands/types.js';

describe('MyTool', () => {
  beforeEach(() => {
    vi.stubEnv('MY_VAR', 'test-value');
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('should use environment variable', () => {
    expect(process.env.MY_VAR).toBe('test-value');
  });
});

describe('clearCommand', () => {
  let mockContext: CommandContext;

  beforeEach(() => {
    mockContext = {
      services: {
        config: {
          getGeminiClient: vi.fn().mockReturnValue({
            resetChat: vi.fn().mockResolvedValue(undefined),
          }),
          getHookSystem: vi.fn().mockReturnValue(undefined),
          setSessionId: vi.fn(),
        },
        settings: {},
        git: undefined,
        logger: { log: vi.fn() },
      },
      ui: {
        addItem: vi.fn(),
        clear: vi.fn(),
        setDebugMessage: vi.fn(),
        setPendingItem: vi.fn(),
      },
      session: {
        stats: {},
        sessionShellAllowlist: new Set(),
      },
    } as unknown as CommandContext;
  });

  it('should clear the UI', async () => {
    await clearCommand.action!(mockContext, '');
    expect(mockContext.ui.clear).toHaveBeenCalled();
  });

  it('should reset the chat', async () => {
    await clearCommand.action!(mockContext, '');
    expect(mockContext.services.config?.getGeminiClient().resetChat).toHaveBeenCalled();
  });
});

describe('ReadFileTool', () => {
  const mockConfig = {
    getTargetDir: vi.fn().mockReturnValue('/workspace'),
    getWorkspaceContext: vi.fn().mockReturnValue({
      isPathWithinWorkspace: vi.fn().mockReturnValue(true),
      getDirectories: vi.fn().mockReturnValue(['/workspace']),
    }),
    getFileSystemService: vi.fn(),
    getFileService: vi.fn().mockReturnValue({
      shouldIgnoreFile: vi.fn().mockReturnValue(false),
    }),
    getFileFilteringOptions: vi.fn().mockReturnValue({}),
    storage: { getProjectTempDir: vi.fn().mockReturnValue('/tmp') },
  };

  const mockMessageBus = {
    publish: vi.fn(),
    subscribe: vi.fn(),
    unsubscribe: vi.fn(),
  };

  it('should validate file_path is non-empty', () => {
    const tool = new ReadFileTool(mockConfig as any, mockMessageBus as any);
    expect(() => tool.build({ file_path: '' })).toThrow('non-empty');
  });

  it('should validate path is within workspace', () => {
    mockConfig.getWorkspaceContext().isPathWithinWorkspace.mockReturnValue(false);
    const tool = new ReadFileTool(mockConfig as any, mockMessageBus as any);
    expect(() => tool.build({ file_path: '/outside/file.txt' })).toThrow('within');
  });

  it('should create valid invocation', () => {
    mockConfig.getWorkspaceContext().isPathWithinWorkspace.mockReturnValue(true);
    const tool = new ReadFileTool(mockConfig as any, mockMessageBus as any);
    const invocation = tool.build({ file_path: 'test.txt' });
    expect(invocation).toBeDefined();
    expect(invocation.params.file_path).toBe('test.txt');
  });
});
