import type { ServerResponse } from 'node:http';
import { expect, it, vi } from 'vitest';
import { HttpError } from '../http/http-error.js';
import { type PageParts, pageRoutes } from './routes.js';

vi.mock('@gemini-cli/core/server', () => ({
  loadSessionHtml: async () => {
    throw new Error('its file was replaced by an update');
  },
}));

it('answers as a program where a page for people cannot be made', async () => {
  const [route] = pageRoutes({} as PageParts);
  const response = { writeHead: vi.fn(), setHeader: vi.fn(), end: vi.fn() };
  route?.writeError?.(response as unknown as ServerResponse, new HttpError(404, 'gone'), {} as never);
  await vi.waitFor(() => expect(response.end).toHaveBeenCalled());
  expect(response.writeHead.mock.calls[0]?.[0]).toBe(500);
});
