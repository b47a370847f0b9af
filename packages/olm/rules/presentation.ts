import { trimSpace } from '@tenantry/kube/names';
import { show } from '@tenantry/kube/problem';
import { parseRequestUri } from '@tenantry/kube/url';
import { parseOlmVersion, formatVersion } from '../semver/version.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from './rule.ts';
import { isEmail } from '@tenantry/kube/address';

const provider: BundleRule = {
  id: 'provider-name',
  severity: 'error',
  validators: ['operatorhubv2'],
  description: '`spec.provider.name` is present',
};

const maintainer: BundleRule = {
  id: 'maintainer',
  severity: 'error',
  validators: ['operatorhubv2'],
  description: 'a maintainer has a name and an email',
};

const email: BundleRule = {
  id: 'maintainer-email',
  severity: 'error',
  validators: ['operatorhubv2'],
  description:
    'the email of a maintainer is one mail address; rare forms (quotes, comments, groups) are not parsed and pass',
};

const link: BundleRule = {
  id: 'link',
  severity: 'error',
  validators: ['operatorhubv2'],
  description: 'a link has a name and a url',
};

const url: BundleRule = {
  id: 'link-url',
  severity: 'error',
  validators: ['operatorhubv2'],
  description: 'the url of a link is an absolute URL or path',
};

/** The rules for the provider, the maintainers and the links of an operator. */
export const maintainersCheck: BundleCheck = {
  rules: [provider, maintainer, email, link, url],
  check(bundle, report) {
    const { provider: by, maintainers = [], links = [] } = bundle.csv.value.spec ?? {};
    if (trimSpace(by?.name ?? '') === '') {
      const place = locateInCsv(bundle, 'spec', 'provider', 'name');
      report(provider, place, `must name the provider, got ${show(by?.name)}`);
    }
    for (const [i, { name, email: address }] of maintainers.entries()) {
      const path = ['spec', 'maintainers', i];
      if (name === undefined || address === undefined) {
        report(
          maintainer,
          locateInCsv(bundle, ...path),
          `must have a name and an email, got one alone`,
        );
      }
      if (address === undefined || isMailAddress(address)) continue;
      const message = `must be ${A_MAIL_ADDRESS}, got ${show(address)}`;
      report(email, locateInCsv(bundle, ...path, 'email'), message);
    }
    for (const [i, { name, url: address }] of links.entries()) {
      const path = ['spec', 'links', i];
      if (name === undefined || address === undefined) {
        report(link, locateInCsv(bundle, ...path), `must have a name and a url, got one alone`);
      }
      if (address === undefined || parseRequestUri(address) !== undefined) continue;
      const message = `must be a URL such as 'https://example.com', got ${show(address)}`;
      report(url, locateInCsv(bundle, ...path, 'url'), message);
    }
  },
};

const absent: BundleRule = {
  id: 'icon',
  severity: 'warning',
  validators: ['operatorhubv2'],
  description: '`spec.icon` is present',
};

const one: BundleRule = {
  id: 'icon-one',
  severity: 'error',
  validators: ['operatorhubv2'],
  description: '`spec.icon` has one entry',
};

const content: BundleRule = {
  id: 'icon-content',
  severity: 'error',
  validators: ['operatorhubv2'],
  description: 'the icon has data and a media type',
};

const mediaType: BundleRule = {
  id: 'icon-media-type',
  severity: 'error',
  validators: ['operatorhubv2'],
  description: 'the media type of the icon is that of a GIF, a JPEG, a PNG or an SVG',
};

const MEDIA_TYPES = ['image/gif', 'image/jpeg', 'image/png', 'image/svg+xml'];

/** The rules for the icon of an operator; of several icons only the first is checked. */
export const iconsCheck: BundleCheck = {
  rules: [absent, one, content, mediaType],
  check(bundle, report) {
    const list = bundle.csv.value.spec?.icon;
    const at = locateInCsv(bundle, 'spec', 'icon');
    if (list === undefined) return report(absent, at, 'must have an icon, got none');
    if (list.length !== 1) report(one, at, `must have one entry, got ${list.length}`);
    const [first] = list;
    if (first === undefined) return;
    const { base64data, mediatype } = first;
    if (base64data === undefined || mediatype === undefined) {
      const place = locateInCsv(bundle, 'spec', 'icon', 0);
      report(content, place, 'must have base64data and mediatype, got nothing in one of them');
    }
    if (mediatype === undefined || MEDIA_TYPES.includes(mediatype)) return;
    const place = locateInCsv(bundle, 'spec', 'icon', 0, 'mediatype');
    report(mediaType, place, `must be one of ${MEDIA_TYPES.join(', ')}, got ${show(mediatype)}`);
  },
};

const version: BundleRule = {
  id: 'version',
  severity: 'error',
  validators: ['operatorhubv2'],
  description: '`spec.version` is present, and not 0.0.0',
};

/** The rule for the version of an operator. */
export const versionsCheck: BundleCheck = {
  rules: [version],
  check(bundle, report) {
    const text = bundle.csv.value.spec?.version;
    const parsed = parseOlmVersion(text ?? '');
    const isSet = parsed !== undefined && formatVersion({ ...parsed, build: [] }) !== '0.0.0';
    if (isSet) return;
    const message = `must be a version above 0.0.0, got ${show(text)}`;
    report(version, locateInCsv(bundle, 'spec', 'version'), message);
  },
};

export const A_MAIL_ADDRESS = "a mail address such as 'jo@example.com'";

/** `Jo Doe <jo@example.com>` */
const NAMED = /^[^()<>@,:;[\]\\"]*<([^<>]*)>$/;

/** Quoted texts, comments, literal domains and groups contain one of these. */
const RARE = /["([;]/;

/**
 * Whether a text is one mail address, such as `jo@example.com` or `Jo Doe <jo@example.com>`. It accepts every address
 * that OperatorHub accepts for a maintainer. Quoted texts, comments, literal domains, groups and encoded words (RFC
 * 5322, RFC 2047) are not parsed: a text with one of them and an `@` is accepted.
 */
export function isMailAddress(text: string): boolean {
  const [, address = text] = NAMED.exec(text.trim()) ?? [];
  // Go skips spaces after the '@'.
  return isEmail(address.trim().replace(/@[ \t]+/, '@')) ?? RARE.test(text);
}
