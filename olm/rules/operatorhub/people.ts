import { trimSpace } from '../../../kube/names.ts';
import { show } from '../../../kube/problem.ts';
import { parseRequestUri } from '../../../kube/url.ts';
import { A_MAIL_ADDRESS, isMailAddress } from '../../mail/address.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

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
  description: 'the email of a maintainer is one mail address (RFC 5322)',
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
export const people: BundleCheck = {
  rules: [provider, maintainer, email, link, url],
  check(bundle, say) {
    const { provider: by, maintainers = [], links = [] } = bundle.csv.value.spec ?? {};
    if (trimSpace(by?.name ?? '') === '') {
      const place = locateInCsv(bundle, 'spec', 'provider', 'name');
      say(provider, place, `must name the provider, got ${show(by?.name)}`);
    }
    for (const [i, { name, email: address }] of maintainers.entries()) {
      const path = ['spec', 'maintainers', i];
      if (name === undefined || address === undefined) {
        say(
          maintainer,
          locateInCsv(bundle, ...path),
          `must have a name and an email, got one alone`,
        );
      }
      if (address === undefined || isMailAddress(address)) continue;
      const message = `must be ${A_MAIL_ADDRESS}, got ${show(address)}`;
      say(email, locateInCsv(bundle, ...path, 'email'), message);
    }
    for (const [i, { name, url: address }] of links.entries()) {
      const path = ['spec', 'links', i];
      if (name === undefined || address === undefined) {
        say(link, locateInCsv(bundle, ...path), `must have a name and a url, got one alone`);
      }
      if (address === undefined || parseRequestUri(address) !== undefined) continue;
      const message = `must be a URL such as 'https://example.com', got ${show(address)}`;
      say(url, locateInCsv(bundle, ...path, 'url'), message);
    }
  },
};
