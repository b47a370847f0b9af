import type { SpanAttributes, Tracing } from '../tracing/tracing.ts';
import type { Call } from './call.ts';
import type { Exchange } from './exchange.ts';

export interface TracedRequest {
  readonly call: Call;
  /** The URL of the request, with path and query. */
  readonly url: URL;
  /** The number of earlier attempts. */
  readonly resends: number;
}

/**
 * Sends a request within a span that ends at the headers of the answer, by the conventions for HTTP clients
 * (https://opentelemetry.io/docs/specs/semconv/http/http-spans/). The request carries the span's headers.
 */
export function traceExchange(
  tracing: Tracing,
  { call: { method, resource }, url, resends }: TracedRequest,
  send: (headers?: Readonly<Record<string, string>>) => Promise<Exchange>,
): Promise<Exchange> {
  const name = resource === undefined ? method : `${method} ${resource}`;
  const attributes: SpanAttributes = {
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    'url.full': url.href,
    ...(resource !== undefined && { 'tenantry.resource': resource }),
    ...(resends > 0 && { 'http.request.resend_count': resends }),
  };
  return tracing.withSpan({ name, kind: 'client', attributes }, async (span) => {
    const result = await send(span?.headers);
    if (result.response) {
      const { statusCode: status = 0 } = result.response;
      span?.set({ 'http.response.status_code': status });
      if (status >= 400) span?.failBy(String(status));
    } else if ('refusal' in result) span?.fail(result.refusal);
    else span?.fail(result.error);
    return result;
  });
}
