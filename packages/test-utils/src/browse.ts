/** A minimal browser for sign-in tests: requests an address and follows redirects. */
import { request as httpRequest } from 'node:http';

export interface Page {
  status: number;
  text: string;
  /** The final address. */
  url: string;
}

const MAX_REDIRECTS = 5;

/** @param headers for every request, e.g. a foreign `host`. */
export async function browse(
  address: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Page> {
  let url = address;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const { status, text, location } = await visit(url, method, headers);
    if (!location) return { status, text, url };
    url = new URL(location, url).toString();
  }
  throw new Error(`Too many redirects from ${address}`);
}

function visit(
  url: string,
  method: string,
  headers: Record<string, string>,
): Promise<{ status: number; text: string; location?: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method, headers, agent: false }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, text, location: incoming.headers.location }),
      );
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
