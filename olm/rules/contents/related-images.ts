import { show } from '../../../kube/problem.ts';
import { AN_IMAGE, isImage } from '../../image/reference.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

const relatedImage: BundleRule = {
  id: 'related-image',
  severity: 'error',
  validators: ['bundle'],
  description: 'an entry of `spec.relatedImages` names an image',
};

/** The rule for the images that an operator needs. */
export const relatedImages: BundleCheck = {
  rules: [relatedImage],
  check(bundle, say) {
    const { relatedImages: images = [] } = bundle.csv.value.spec ?? {};
    for (const [i, { image = '' }] of images.entries()) {
      if (isImage(image)) continue;
      const place = locateInCsv(bundle, 'spec', 'relatedImages', i, 'image');
      say(
        relatedImage,
        place,
        `must be ${AN_IMAGE}, got ${show(image === '' ? undefined : image)}`,
      );
    }
  },
};
