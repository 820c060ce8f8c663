/** Recognises repositories of GitHub, however they are addressed. */

export interface GithubRepository {
  owner: string;
  repo: string;
}

const HTTPS = /^https?:\/\/(?:[^/@]*@)?(?:www\.)?github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/i;
const SSH = /^(?:ssh:\/\/)?git@github\.com[:/]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/i;

export function githubRepository(source: string): GithubRepository | undefined {
  const [, owner, repo] = HTTPS.exec(source) ?? SSH.exec(source) ?? [];
  return owner && repo && ![owner, repo].some((part) => /^\.+$/.test(part)) ? { owner, repo } : undefined;
}
