import type { ServerResponse } from 'node:http';
import { expect, it, vi } from 'vitest';
import { HttpError } from '../http/http-error.js';
import { type PageParts, pageRoutes } from './routes.js';

it('answers as a program where a page about a problem cannot be made', async () => {
  const [route] = pageRoutes({} as PageParts);
  const writeHead = vi.fn().mockImplementationOnce(() => {
    throw new Error('broken');
  });
  const response = { writeHead, setHeader: vi.fn(), end: vi.fn() };
  route?.writeError?.(response as unknown as ServerResponse, new HttpError(404, 'gone'), {} as never);
  await vi.waitFor(() => expect(response.end).toHaveBeenCalled(), 10_000);
  expect(writeHead.mock.calls.map(([status]) => status)).toEqual([404, 500]);
});
