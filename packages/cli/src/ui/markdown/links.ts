/** What a link shows and where it really leads. */

export interface LinkView {
  /** Shown after the text; empty when the text already contains it. */
  address: string;
  /** The real host, if text or address imitate another one. */
  warning?: string;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

export function linkView(text: string, href: string): LinkView {
  const label = text.trim();
  const isSame = label === href || label === href.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '');
  const host = deceivingHost(label, href);
  return { address: isSame ? '' : href, ...(host === undefined ? {} : { warning: host }) };
}

/** The host in ASCII, if the reader could take it for another. */
export function deceivingHost(label: string, href: string): string | undefined {
  const url = SCHEME.test(href) && URL.canParse(href) ? new URL(href) : undefined;
  if (!url || url.host === '') return undefined;
  const written = /^[a-z][a-z0-9+.-]*:[/\\]{2}([^/?#\\]*)/i.exec(href)?.[1]?.toLowerCase() ?? '';
  const isPlain = written === url.host || written.replace(/:\d*$/, '') === url.hostname;
  if (!isPlain || /(?:^|\.)xn--/.test(url.hostname)) return url.host;
  const named = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?::\d+)?(?:[/?#]\S*)?$/iu
    .exec(label)?.[1]
    ?.toLowerCase();
  if (named === undefined || isFileName(named)) return undefined;
  return bare(named) === bare(url.hostname) ? undefined : url.host;
}

/** `lines.ts` is a file, not a host. */
function isFileName(name: string): boolean {
  return /^[^.]+\.(?:ts|js|md|py|rs|go|sh|java|json|html|css|c|h|cc|rb|pl|tsx|jsx|txt|toml|yaml|yml|zip|mov)$/.test(
    name,
  );
}

function bare(host: string): string {
  return host.replace(/^www\./, '');
}
