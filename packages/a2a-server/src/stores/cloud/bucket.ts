/** One bucket of Cloud Storage over its JSON API. `STORAGE_EMULATOR_HOST` names another server, without sign-in. */
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError, type Variables } from '@gemini-cli/core';
import { HttpClient, type HttpRequest } from '@gemini-cli/core/server';
import { TaskError } from '../../task-error.js';

export interface StoredObject {
  name: string;
  /** Kept beside the bytes, and part of lists. */
  metadata: Record<string, string>;
}

const API = 'https://storage.googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write';
const ATTEMPTS = 4;
const FIRST_WAIT_MS = 200;
const BOUNDARY = 'gemini-part-boundary';

export class Bucket {
  private readonly base: string;
  private readonly http: HttpClient;
  private auth: Promise<{ getAccessToken(): Promise<string | null | undefined> }> | undefined;

  constructor(
    readonly name: string,
    private readonly env: Variables,
  ) {
    const emulator = env['STORAGE_EMULATOR_HOST'];
    this.base = emulator
      ? (/^https?:/.test(emulator) ? emulator : `http://${emulator}`).replace(/\/+$/, '')
      : API;
    this.http = new HttpClient({}, { variables: env });
  }

  /** Makes the bucket if it does not exist. @throws UserError */
  async open(): Promise<void> {
    const found = await this.request('GET', `/storage/v1/b/${encodeURIComponent(this.name)}`);
    if (found.status === 200) return;
    if (found.status !== 404) throw this.failure(`cannot be opened`, found);
    const project = this.env['GOOGLE_CLOUD_PROJECT'];
    if (!project)
      throw new UserError(
        `The bucket ${this.name} does not exist. Set GOOGLE_CLOUD_PROJECT to have it made.`,
      );
    const made = await this.request('POST', `/storage/v1/b?project=${encodeURIComponent(project)}`, {
      type: 'application/json',
      body: Buffer.from(JSON.stringify({ name: this.name })),
    });
    // 409: another server was faster.
    if (made.status !== 200 && made.status !== 409) throw this.failure('cannot be made', made);
  }

  async put(name: string, bytes: Buffer, metadata: Record<string, string> = {}): Promise<void> {
    const about = JSON.stringify({ name, metadata, contentType: 'application/gzip' });
    const body = Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${about}\r\n`),
      Buffer.from(`--${BOUNDARY}\r\ncontent-type: application/octet-stream\r\n\r\n`),
      bytes,
      Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
    ]);
    const path = `/upload/storage/v1/b/${encodeURIComponent(this.name)}/o?uploadType=multipart`;
    const answer = await this.request('POST', path, {
      type: `multipart/related; boundary=${BOUNDARY}`,
      body,
    });
    if (answer.status !== 200) throw this.failure(`did not take ${name}`, answer);
  }

  async get(name: string): Promise<Buffer | undefined> {
    const answer = await this.request('GET', `${this.objectPath(name)}?alt=media`);
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw this.failure(`did not give ${name}`, answer);
    return answer.bytes;
  }

  async delete(name: string): Promise<void> {
    const answer = await this.request('DELETE', this.objectPath(name));
    if (answer.status >= 300 && answer.status !== 404) throw this.failure(`did not delete ${name}`, answer);
  }

  async list(prefix: string): Promise<StoredObject[]> {
    const found: StoredObject[] = [];
    for (let token = ''; ; ) {
      const query = new URLSearchParams({
        prefix,
        fields: 'items(name,metadata),nextPageToken',
        ...(token && { pageToken: token }),
      });
      const answer = await this.request('GET', `/storage/v1/b/${encodeURIComponent(this.name)}/o?${query}`);
      if (answer.status !== 200) throw this.failure('did not list its objects', answer);
      const page = JSON.parse(answer.bytes.toString()) as { items?: StoredObject[]; nextPageToken?: string };
      found.push(...(page.items ?? []).map(({ name, metadata = {} }) => ({ name, metadata })));
      token = page.nextPageToken ?? '';
      if (token === '') return found;
    }
  }

  close(): void {
    this.http.close();
  }

  private objectPath(name: string): string {
    return `/storage/v1/b/${encodeURIComponent(this.name)}/o/${encodeURIComponent(name)}`;
  }

  /** Tries again when the server is busy or the network fails: all requests may be repeated. */
  private async request(
    method: HttpRequest['method'],
    path: string,
    content?: { type: string; body: Buffer },
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.once(method, path, content);
        if (attempt === ATTEMPTS || (answer.status !== 429 && answer.status < 500)) return answer;
      } catch (error) {
        if (attempt === ATTEMPTS)
          throw new TaskError('unavailable', `Cloud Storage cannot be reached.`, error);
      }
      await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1));
    }
  }

  private async once(
    method: HttpRequest['method'],
    path: string,
    content?: { type: string; body: Buffer },
  ): Promise<Answer> {
    const token = await this.token();
    const response = await this.http.send({
      method,
      url: new URL(this.base + path),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(content && { 'content-type': content.type }),
      },
      ...(content && { body: [content.body] }),
      signal: new AbortController().signal,
    });
    const pieces: Buffer[] = [];
    for await (const piece of response.body) pieces.push(piece);
    return { status: response.status, bytes: Buffer.concat(pieces) };
  }

  private async token(): Promise<string | undefined> {
    if (this.env['STORAGE_EMULATOR_HOST']) return undefined;
    this.auth ??= this.signIn();
    return (await (await this.auth).getAccessToken()) ?? undefined;
  }

  private async signIn() {
    const { GoogleAuth } = await import('google-auth-library');
    const keyFile = this.env['GOOGLE_APPLICATION_CREDENTIALS'];
    return new GoogleAuth({ scopes: [SCOPE], ...(keyFile && { keyFile }) });
  }

  private failure(what: string, { status, bytes }: Answer): TaskError {
    const text = bytes.toString('utf8').slice(0, 300).replace(/\s+/g, ' ');
    return new TaskError('unavailable', `The bucket ${this.name} ${what} (${status}). ${text}`.trim());
  }
}

interface Answer {
  status: number;
  bytes: Buffer;
}
