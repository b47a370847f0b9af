/** spec.conversion: how objects of one version become those of another. */
import type {
  CustomResourceConversion,
  CustomResourceDefinitionManifest,
} from '../custom-resource-definition.ts';
import { isDeepEqual } from '../../kube/equality.ts';
import { buildSides, formatValues, type Judgement } from './change.ts';

type ChangeReporter = (path: string, judgement: Judgement) => void;

/** The versions of ConversionReview that the API server can send. */
const reviews = ['v1', 'v1beta1'];

export function compareConversions(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
  tell: ChangeReporter,
): void {
  const [a, b] = [before.spec.conversion, after.spec.conversion].map(
    (conversion): CustomResourceConversion => conversion ?? { strategy: 'None' },
  );
  if (isDeepEqual(a, b)) return;
  const path = 'spec.conversion';
  const change = {
    rule: 'conversion',
    ...buildSides(before.spec.conversion, after.spec.conversion),
  };
  const versions = [before, after].map(({ spec }) => spec.versions.map(({ name }) => name));
  const isOne = new Set(versions.flat()).size < 2;
  const asked = b!.webhook?.conversionReviewVersions ?? [];
  if (b!.strategy === 'Webhook' && !asked.some((version) => reviews.includes(version))) {
    const message = `must name a ConversionReview that the API server knows (${formatValues(reviews)}), got ${formatValues(asked) || 'none'}`;
    tell(path, { ...change, verdict: 'breaking', message });
  } else if (isOne) {
    const message = 'there is one version, and nothing to convert';
    tell(path, { ...change, verdict: 'compatible', message });
  } else if (a!.strategy === 'Webhook' && b!.strategy === 'None') {
    const message =
      'objects are not converted any more: when one is read in another version, only its apiVersion changes';
    tell(path, { ...change, verdict: 'breaking', message });
  } else if (a!.strategy !== b!.strategy) {
    const message = 'a webhook converts the objects now: what it does is not in the definition';
    tell(path, { ...change, verdict: 'unknown', message });
  } else if (sameWebhook(a!, b!)) {
    const message = 'the same webhook, with other certificates or reviews';
    tell(path, { ...change, verdict: 'compatible', message });
  } else {
    const message = 'another webhook converts the objects: what it does is not in the definition';
    tell(path, { ...change, verdict: 'unknown', message });
  }
}

/** Returns whether the address is the same, which is all that is known of a webhook. */
function sameWebhook(a: CustomResourceConversion, b: CustomResourceConversion): boolean {
  const [from, to] = [a, b].map(({ webhook }) => {
    const { caBundle: _, ...where } = webhook?.clientConfig ?? {};
    return where;
  });
  return isDeepEqual(from, to);
}
