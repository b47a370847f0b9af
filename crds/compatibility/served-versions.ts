/** The served versions of one definition against each other. */
import type {
  CustomResourceDefinitionManifest,
  CustomResourceDefinitionVersion,
} from '../custom-resource-definition.ts';
import { formatCanonicalJson } from '../../kube/equality.ts';
import { type Change } from './change.ts';
import { compareVersionPriority } from './version-priority.ts';
import { compareSchemas } from './schemas.ts';

/**
 * Reports what is lost or refused when an object of one served version is read in another, and was
 * not in OLD. The strategy None only converts apiVersion, so all served versions must accept the
 * same. Reports nothing for a webhook, because its behavior is unknown.
 */
export function compareServedVersions(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
): Change[] {
  const known = new Set(findVersionDifferences(before).map(({ key }) => key));
  return findVersionDifferences(after)
    .filter(({ key }) => !known.has(key))
    .map(({ change }) => change);
}

interface Difference {
  readonly change: Change;
  /** The same key means the same kind of difference in the same place, whatever its size. */
  readonly key: string;
}

function findVersionDifferences({ spec }: CustomResourceDefinitionManifest): Difference[] {
  if (spec.conversion?.strategy === 'Webhook') return [];
  const served = spec.versions
    .filter((version) => version.served)
    .toSorted((a, b) => compareVersionPriority(b.name, a.name));
  return served.flatMap((from, i) =>
    served.slice(i + 1).flatMap((to) => [...compareOneWay(from, to), ...compareOneWay(to, from)]),
  );
}

/** Reports what is lost on the way from one version to another. */
function compareOneWay(
  from: CustomResourceDefinitionVersion,
  to: CustomResourceDefinitionVersion,
): Difference[] {
  const [a, b] = [from.schema?.openAPIV3Schema, to.schema?.openAPIV3Schema];
  if (!a || !b) return [];
  return compareSchemas(a, b)
    .filter(({ verdict }) => verdict !== 'compatible')
    .map(({ path, rule, message, ...change }) => ({
      key: formatCanonicalJson([from.name, to.name, path, rule]),
      change: {
        ...change,
        version: to.name,
        path,
        rule: 'served-versions',
        message: `objects of ${from.name} read in ${to.name} (conversion None; ${rule}): ${message}`,
      },
    }));
}
