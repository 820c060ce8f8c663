// Seed 004 §8.4. Changed: where things are imported from.
import { describe, it, expect } from 'vitest';
import { createTestConfig, executeCommand } from '../../test-utils.js';

describe('Shell Tool Integration', () => {
  it('should execute simple command', async () => {
    const config = await createTestConfig();
    const result = await executeCommand(config, 'echo "hello"');
    expect(result.output).toContain('hello');
  });
});
