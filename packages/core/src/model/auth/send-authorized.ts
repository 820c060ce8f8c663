/** Sends a request with credentials; after a 401 once more with fresh ones. */
import type { HttpClient, HttpRequest, HttpResponse } from '../../platform/net/http.js';
import type { Authorizer } from './context.js';

/** Headers of the request win: the user may have set some by hand. */
export async function sendAuthorized(
  http: HttpClient,
  authorizer: Authorizer,
  request: HttpRequest,
): Promise<HttpResponse> {
  const sent = await authorizer.headers();
  const response = await http.send({ ...request, headers: { ...sent, ...request.headers } });
  if (response.status !== 401) return response;
  authorizer.invalidate();
  try {
    const fresh = await authorizer.headers();
    if (JSON.stringify(fresh) === JSON.stringify(sent)) return response;
    response.dispose();
    return await http.send({ ...request, headers: { ...fresh, ...request.headers } });
  } catch (error) {
    response.dispose();
    throw error;
  }
}
