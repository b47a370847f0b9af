import { show } from '../../../kube/problem.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

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
export const icons: BundleCheck = {
  rules: [absent, one, content, mediaType],
  check(bundle, say) {
    const list = bundle.csv.value.spec?.icon;
    const at = locateInCsv(bundle, 'spec', 'icon');
    if (list === undefined) return say(absent, at, 'must have an icon, got none');
    if (list.length !== 1) say(one, at, `must have one entry, got ${list.length}`);
    const [first] = list;
    if (first === undefined) return;
    const { base64data, mediatype } = first;
    if (base64data === undefined || mediatype === undefined) {
      const place = locateInCsv(bundle, 'spec', 'icon', 0);
      say(content, place, 'must have base64data and mediatype, got nothing in one of them');
    }
    if (mediatype === undefined || MEDIA_TYPES.includes(mediatype)) return;
    const place = locateInCsv(bundle, 'spec', 'icon', 0, 'mediatype');
    say(mediaType, place, `must be one of ${MEDIA_TYPES.join(', ')}, got ${show(mediatype)}`);
  },
};
