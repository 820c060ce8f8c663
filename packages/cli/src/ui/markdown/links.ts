/** What a link says and where it really goes. */

export interface LinkView {
  /** Shown after the text; empty when the text says it already. */
  address: string;
  /** The real host, where text or address make believe another one. */
  warning?: string;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

export function linkView(text: string, href: string): LinkView {
  const label = text.trim();
  const isSame = label === href || label === href.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '');
  const host = deceivingHost(label, href);
  return { address: isSame ? '' : href, ...(host === undefined ? {} : { warning: host }) };
}

/** The host in ASCII where the reader would take it for another. */
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

/** `lines.ts` names a file rather than a host. */
function isFileName(name: string): boolean {
  return /^[^.]+\.(?:ts|js|md|py|rs|go|sh|java|json|html|css|c|h|cc|rb|pl|tsx|jsx|txt|toml|yaml|yml|zip|mov)$/.test(
    name,
  );
}

function bare(host: string): string {
  return host.replace(/^www\./, '');
}
