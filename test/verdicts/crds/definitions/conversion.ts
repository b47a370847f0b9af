import { bad, good, type Changes, type DefinitionCase } from './case.ts';

const webhook = (clientConfig: unknown, conversionReviewVersions: unknown = ['v1']): Changes => ({
  'spec.conversion': { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions } },
});
const url = (text: string): Changes => webhook({ url: text });
const service = (fields: object): Changes =>
  webhook({ service: { namespace: 'a', name: 'b', ...fields } });
const reviews = (list: unknown): Changes => webhook({ url: 'https://a/b' }, list);

/** The conversion between versions. */
export const conversionCases: readonly DefinitionCase[] = [
  good('no conversion', { 'spec.conversion': { strategy: 'None' } }),
  bad('conversion-strategy', 'a conversion without a strategy', { 'spec.conversion': {} }),
  bad('conversion-strategy', 'an unknown strategy', { 'spec.conversion': { strategy: 'CEL' } }),
  bad('conversion-webhook-unused', 'a webhook that is not used', {
    'spec.conversion': { strategy: 'None', webhook: { clientConfig: { url: 'https://a/b' } } },
  }),
  bad('conversion-webhook-unused', 'review versions that are not used', {
    'spec.conversion': { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } },
  }),
  good('a webhook that is empty and not used', {
    'spec.conversion': { strategy: 'None', webhook: { conversionReviewVersions: [] } },
  }),
  bad('conversion-client', 'a webhook that is not there', {
    'spec.conversion': { strategy: 'Webhook' },
  }),
  bad('conversion-client', 'a webhook without a client', webhook(undefined)),
  bad('conversion-client', 'a webhook without url and service', webhook({})),
  bad(
    'conversion-client',
    'a webhook with url and service',
    webhook({ url: 'https://a/b', service: { namespace: 'a', name: 'b' } }),
  ),
  good('a url', url('https://example.com:8443/convert')),
  good('a url with an IPv6 address', url('https://[fe80::1%25en0]:8443/convert')),
  good('a url with odd characters', url('https://ex_ample/%20"<>|')),
  bad('conversion-url', 'a url with an empty host', url('https:///convert')),
  bad('conversion-url', 'a url without https', url('http://example.com')),
  bad('conversion-url', 'a url that is empty', url('')),
  bad('conversion-url', 'a url without a scheme', url('example.com/convert')),
  bad('conversion-url', 'a url with a user', url('https://a@example.com')),
  bad('conversion-url', 'a url with a query', url('https://example.com?a=b')),
  bad('conversion-url', 'a url with a fragment', url('https://example.com#a')),
  bad('conversion-url', 'a url with a bad port', url('https://example.com:https')),
  bad('conversion-url', 'a url with a bad escape', url('https://example.com/%zz')),
  bad('conversion-url', 'a url with a space in the host', url('https://a b/')),
  bad('conversion-url', 'a url with a bad address', url('https://[fe80::1::2]/')),
  bad('conversion-url', 'a url with a line break', url('https://a/\n')),
  good('a url with nothing after the question mark', url('https://example.com/a?')),
  good('a service', service({ path: '/convert/v1', port: 8443 })),
  bad('conversion-service', 'a service without a name', service({ name: undefined })),
  bad('conversion-service', 'a service without a namespace', service({ namespace: '' })),
  bad('conversion-service', 'a service at port 0', service({ port: 0 })),
  bad('conversion-service', 'a service at port 65536', service({ port: 65_536 })),
  bad('conversion-service', 'a path without a slash', service({ path: 'convert' })),
  bad('conversion-service', 'a path with an empty segment', service({ path: '/a//b' })),
  bad('conversion-service', 'a path of two slashes', service({ path: '//' })),
  bad('conversion-service', 'a path in upper case', service({ path: '/Convert' })),
  good('a path of one slash', service({ path: '/' })),
  good('a path that ends with a slash', service({ path: '/convert/' })),
  bad(
    'field-type',
    'certificates that are not base64',
    webhook({ url: 'https://a', caBundle: 'a' }),
  ),
  good('certificates that are none', webhook({ url: 'https://a', caBundle: 'aGVsbG8=' })),
  bad('conversion-review-versions', 'no review versions', reviews(null)),
  bad('conversion-review-versions', 'an empty list of review versions', reviews([])),
  bad('conversion-review-versions', 'only unknown review versions', reviews(['v2'])),
  bad('conversion-review-versions', 'a review version twice', reviews(['v1', 'v1'])),
  bad('conversion-review-versions', 'a review version that is no label', reviews(['v1', 'V2'])),
  good('review versions of the future', reviews(['v2', 'v1beta1'])),
  bad('preserve-unknown-fields', 'unknown fields preserved everywhere', {
    'spec.preserveUnknownFields': true,
  }),
  good('unknown fields not preserved', { 'spec.preserveUnknownFields': false }),
];
