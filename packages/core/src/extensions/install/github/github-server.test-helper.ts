/** A loopback server with the part of GitHub's API that gives releases, and their files. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PageServer } from '../../../platform/net/page-server.test-helper.js';

export interface TestRelease {
  tag: string;
  assets?: Readonly<Record<string, Buffer>>;
  /** Of the source, as GitHub makes it. */
  tarball?: Buffer;
  isPreRelease?: boolean;
  isDraft?: boolean;
}

export interface SeenRequest {
  path: string;
  authorization: string | undefined;
  accept: string | undefined;
}

export class GithubServer {
  readonly seen: SeenRequest[] = [];
  /** Newest first, as GitHub lists them. */
  releases: TestRelease[] = [];
  /** Only requests with this token are answered. */
  token: string | undefined;
  /** Files are given by this server instead, as by GitHub's. */
  storage: string | undefined;

  private constructor(
    private readonly server: PageServer,
    private readonly repository: string,
  ) {}

  static async start(repository: string): Promise<GithubServer> {
    return new GithubServer(await PageServer.start(), repository);
  }

  get address(): string {
    return this.server.url('');
  }

  /** Before the first request; again after every change of `releases`. */
  publish(...releases: TestRelease[]): void {
    this.releases = releases;
    const api = `/repos/${this.repository}/releases`;
    const json = (path: string, value: () => unknown) =>
      this.on(path, (response) => {
        const body = value();
        response
          .writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(body ?? { message: 'Not Found' }));
      });
    json(api, () => this.releases.map((one) => this.described(one)));
    json(`${api}/latest`, () => {
      const latest = this.releases.find(({ isPreRelease, isDraft }) => !isPreRelease && !isDraft);
      return latest && this.described(latest);
    });
    for (const release of releases) {
      json(`${api}/tags/${encodeURIComponent(release.tag)}`, () => this.described(release));
      if (release.tarball) this.file(`/repos/${this.repository}/tarball/${release.tag}`, release.tarball);
      for (const [name, content] of Object.entries(release.assets ?? {})) {
        this.file(`/${this.repository}/releases/download/${release.tag}/${name}`, content);
        this.file(`${api}/assets/${release.tag}-${name}`, content);
      }
    }
  }

  on(path: string, answer: (response: ServerResponse, request: IncomingMessage) => void): void {
    this.server.on(path, (request, response) => {
      const { authorization, accept } = request.headers;
      this.seen.push({ path, authorization, accept });
      if (this.token !== undefined && authorization !== `Bearer ${this.token}`)
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}');
      else answer(response, request);
    });
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private file(path: string, content: Buffer): void {
    this.on(path, (response) => {
      if (this.storage) response.writeHead(302, { location: `${this.storage}${path}` }).end();
      else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(content);
    });
  }

  private described({ tag, assets = {}, tarball, isPreRelease = false, isDraft = false }: TestRelease) {
    const address = this.address;
    return {
      tag_name: tag,
      prerelease: isPreRelease,
      draft: isDraft,
      tarball_url: tarball ? `${address}/repos/${this.repository}/tarball/${tag}` : null,
      zipball_url: null,
      assets: Object.keys(assets).map((name) => ({
        name,
        url: `${address}/repos/${this.repository}/releases/assets/${tag}-${name}`,
        browser_download_url: `${address}/${this.repository}/releases/download/${tag}/${name}`,
      })),
    };
  }
}
