/** Requests through a proxy: a tunnel for https, the whole URL as the path for http. */
import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http';
import { decoded } from './proxy.js';

export async function requestThroughProxy(
  url: URL,
  proxy: URL,
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
): Promise<ClientRequest> {
  const https = await import('node:https');
  if (url.protocol === 'https:') {
    const { HttpsProxyAgent } = await import('https-proxy-agent');
    return https.request(url, { headers, signal, agent: new HttpsProxyAgent(proxy) });
  }
  const start = proxy.protocol === 'https:' ? https.request : httpRequest;
  return start({ ...plainRequestTo(url, proxy, headers), signal, agent: false });
}

/** Options of a plain request that the proxy passes on. */
export function plainRequestTo(
  url: URL,
  proxy: URL,
  headers: Record<string, string | number>,
): Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'path'> & {
  headers: Record<string, string | number>;
} {
  const user = decoded(proxy.username);
  const credentials = Buffer.from(`${user}:${decoded(proxy.password)}`).toString('base64');
  return {
    protocol: proxy.protocol,
    hostname: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: url.href.replace(/#.*$/, ''),
    headers: { ...headers, host: url.host, ...(user && { 'proxy-authorization': `Basic ${credentials}` }) },
  };
}
