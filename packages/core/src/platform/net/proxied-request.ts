/** Sends a GET request through a proxy: a tunnel for https, the whole URL as the path for http. */
import { type ClientRequest, request as httpRequest } from 'node:http';

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
  const user = decodeURIComponent(proxy.username);
  const password = decodeURIComponent(proxy.password);
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  const start = proxy.protocol === 'https:' ? https.request : httpRequest;
  return start({
    host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: url.href.replace(/#.*$/, ''),
    headers: { ...headers, host: url.host, ...(user && { 'proxy-authorization': `Basic ${credentials}` }) },
    signal,
    agent: false,
  });
}
