import { show, type Path } from '@tenantry/kube/problem';
import type { DecodedConversion } from '../fields/decoded-definition.ts';
import type { Findings } from '@tenantry/kube/finding';
import type { Leniency } from './leniency.ts';
import { isDns1035Label, A_DNS_1035_LABEL, isSubdomain, A_SUBDOMAIN } from '@tenantry/kube/names';
import { parseUrl } from '@tenantry/kube/url';

type Webhook = NonNullable<DecodedConversion['webhook']>;
type ClientConfig = NonNullable<Webhook['clientConfig']>;

/** The versions of ConversionReview that the API server speaks. */
const REVIEWS = ['v1', 'v1beta1'];

export function checkConversion(
  conversion: DecodedConversion | undefined,
  path: Path,
  findings: Findings,
  leniency: Leniency,
): void {
  if (!conversion) return;
  const { strategy, webhook = {} } = conversion;
  if (strategy !== 'None' && strategy !== 'Webhook') {
    findings.addWrong([...path, 'strategy'], 'be None or Webhook', strategy, 'conversion-strategy');
  }
  const at = [...path, 'webhook'];
  if (strategy === 'Webhook') {
    checkClientConfig(webhook.clientConfig, [...at, 'clientConfig'], findings);
    checkCertificates(
      webhook.clientConfig,
      [...at, 'clientConfig', 'caBundle'],
      findings,
      leniency,
    );
    const { conversionReviewVersions = [] } = webhook;
    const reviews = [...at, 'conversionReviewVersions'];
    checkReviewVersions(conversionReviewVersions, reviews, findings, leniency);
  } else {
    for (const [field, value] of Object.entries(webhook)) {
      if (Array.isArray(value) && value.length === 0) continue;
      const message = `must be absent unless the strategy is Webhook, got ${show(value)}`;
      findings.addError([...at, field], message, 'conversion-webhook-unused');
    }
  }
}

function checkClientConfig(config: ClientConfig | undefined, path: Path, findings: Findings): void {
  const { url, service } = config ?? {};
  if ((url === undefined) === (service === undefined)) {
    const got = url === undefined ? 'neither' : 'both';
    findings.addError(path, `must have a url or a service, got ${got}`, 'conversion-client');
  } else if (url !== undefined) {
    checkUrl(url, [...path, 'url'], findings);
  } else if (service) {
    const { name, namespace, path: urlPath, port = 443 } = service;
    const at = [...path, 'service'];
    for (const [field, value] of Object.entries({ name, namespace })) {
      if (value !== undefined) continue;
      findings.addError([...at, field], 'must not be empty, got nothing', 'conversion-service');
    }
    if (port < 1 || port > 65_535) {
      const message = `must be a port from 1 to 65535, got ${port}`;
      findings.addError([...at, 'port'], message, 'conversion-service');
    }
    if (urlPath !== undefined) checkServicePath(urlPath, [...at, 'path'], findings);
  }
}

function checkUrl(url: string, path: Path, findings: Findings): void {
  const wrong = (must: string): void => {
    findings.addWrong(path, `${must}`, url, 'conversion-url');
  };
  const parts = parseUrl(url);
  if (!parts) return wrong("be a URL such as 'https://example.com/convert'");
  if (parts.scheme !== 'https') wrong("start with 'https://'");
  if (parts.host === '') wrong('name a host');
  if (parts.user) wrong('name no user');
  if (parts.fragment !== '') wrong("have no fragment ('#')");
  if (parts.query !== '') wrong("have no query ('?')");
}

/** Checks the certificates, unless the kind is not served or had invalid ones before. */
function checkCertificates(
  config: ClientConfig | undefined,
  path: Path,
  findings: Findings,
  leniency: Leniency,
): void {
  const bundle = config?.caBundle;
  if (leniency.caBundle || bundle === undefined || bundle.length === 0) return;
  if (!containsCertificate(bundle)) {
    findings.addError(path, 'must be certificates in PEM, got something else', 'conversion-ca');
  } else {
    findings.addNotChecked(path, 'must be valid X.509 certificates', 'conversion-ca');
  }
}

/** Returns whether a bundle may contain a certificate, without parsing it. */
export function containsCertificate(bundle: string | readonly number[]): boolean {
  const text = typeof bundle === 'string' ? atob(bundle) : String.fromCharCode(...bundle);
  return text.includes('-----BEGIN CERTIFICATE-----');
}

function checkReviewVersions(
  versions: readonly string[],
  path: Path,
  findings: Findings,
  leniency: Leniency,
): void {
  for (const [i, version] of versions.entries()) {
    if (versions.indexOf(version) < i) {
      const message = `must be unique in the list, got ${show(version)} again`;
      findings.addError([...path, i], message, 'conversion-review-versions');
    } else if (!isDns1035Label(version)) {
      const message = `must be ${A_DNS_1035_LABEL}, got ${show(version)}`;
      findings.addError([...path, i], message, 'conversion-review-versions');
    }
  }
  if (versions.some((version) => REVIEWS.includes(version))) return;
  if (versions.length > 0 && leniency.reviewVersions) return;
  const got = versions.length === 0 ? 'an empty list' : versions.join(', ');
  const message = `must name at least one of ${REVIEWS.join(', ')}, got ${got}`;
  findings.addError(path, message, 'conversion-review-versions');
}

/** Checks the URL path of a webhook's service. */
function checkServicePath(urlPath: string, path: Path, findings: Findings): void {
  if (urlPath === '' || urlPath === '/') return;
  const wrong = (must: string): void => {
    findings.addWrong(path, `${must}`, urlPath, 'conversion-service');
  };
  if (!urlPath.startsWith('/')) wrong("start with '/'");
  const segments = urlPath.slice(1).replace(/\/$/, '').split('/');
  if (urlPath === '//' || segments.includes('')) wrong('have no empty segment');
  else if (!segments.every(isSubdomain)) wrong(`have segments that are each ${A_SUBDOMAIN}`);
}
