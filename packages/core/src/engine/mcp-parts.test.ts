import { expect, it } from 'vitest';
import { environmentOf } from '../platform/environment.js';
import { type McpEngineParts, mcpParts } from './mcp-parts.js';

it('says a message about servers once, and again after it was over', () => {
  const heard: string[] = [];
  const parts = mcpParts({
    parameters: () => ({ interactive: true }) as ReturnType<McpEngineParts['parameters']>,
    isTrusted: () => true,
    environment: environmentOf({}, '/'),
    targetDir: '/',
    globalDir: '/',
    sandbox: () => undefined,
    auth: () => undefined,
    onSecret: () => undefined,
    notice: (message) => heard.push(message),
    noticeOver: (message) => heard.push(`over: ${message}`),
  });
  parts.notice('x');
  parts.notice('x');
  parts.noticeOver?.('x');
  parts.notice('x');
  expect(heard).toEqual(['x', 'over: x', 'x']);
});
