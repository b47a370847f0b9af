import type { KubeObject } from '../../kube/object.ts';
import { isAddedLabel } from '../stored/controller-writes.ts';
import type { FieldDiff } from './difference.ts';

type Words = Readonly<Record<string, string>>;
type Metadata = Pick<KubeObject['metadata'], 'labels' | 'annotations'>;

/**
 * Keys by which a cluster or Tenantry decides something, so that undeclared ones matter. All other undeclared keys are
 * ignored: controllers, Argo CD and kubectl write them.
 */
const deciding = {
  labels: [
    /^pod-security\.kubernetes\.io\//,
    /^policy\.tenantry\.dev\//,
    /^tenantry\.dev\/(?!adopt-by$)/,
  ],
  annotations: [/^policy\.tenantry\.dev\//, /^scheduler\.alpha\.kubernetes\.io\//],
};

/** Returns the labels and annotations that differ from the declaration. */
export function diffMetadata(desired: Metadata, live: Metadata): readonly FieldDiff[] {
  return (['labels', 'annotations'] as const).flatMap((field) =>
    wordDifferences(field, desired[field] ?? {}, live[field] ?? {}),
  );
}

function wordDifferences(
  field: 'labels' | 'annotations',
  desired: Words,
  live: Words,
): readonly FieldDiff[] {
  const differs = Object.keys(desired).filter((key) => own(live, key) !== desired[key]);
  const isAdded = (key: string): boolean => field === 'labels' && isAddedLabel(key, live[key]!);
  const extra = Object.keys(live).filter(
    (key) =>
      !Object.hasOwn(desired, key) && deciding[field].some((one) => one.test(key)) && !isAdded(key),
  );
  return [...differs, ...extra].map((key) => {
    const [wanted, there] = [own(desired, key), own(live, key)];
    return {
      path: ['metadata', field, key],
      ...(wanted !== undefined && { desired: wanted }),
      ...(there !== undefined && { live: there }),
    };
  });
}

function own(words: Words, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined;
}
