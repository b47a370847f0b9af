import { isMapping } from '../../../kube/mapping.ts';
import { show, type Path } from '../../../kube/problem.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { Cluster, TenantClassDeclaration } from '../declaration.ts';
import { INSTANCE_LABEL, namesApplication } from '../reserved-keys.ts';
import type { RuleReporter } from './context.ts';
import { explainReservedKey } from './keys.ts';

/** Keys that record the owner of an object, and that templates of workloads use for their own purposes. */
const templateKeys: ReadonlySet<string> = new Set([INSTANCE_LABEL, 'app.kubernetes.io/managed-by']);

/**
 * Matches mappings with labels or annotations of objects that a controller creates:
 * `volumeClaimTemplates[].metadata.labels`.
 */
const KEYED = /^(?:labels|annotations|.*(?:Labels|Annotations))$/;

/** Fields that select by labels and set none. */
const SELECTING: ReadonlySet<string> = new Set(['matchLabels', 'selector']);

/** The maximum depth. Readers of files have a lower limit; this one is for objects from elsewhere. */
const DEEPEST = 100;

/**
 * Refuses reserved keys wherever an object has labels and annotations for other objects. Otherwise a key that people
 * may not set would arrive through the controller that creates a PersistentVolumeClaim or a Secret from such a
 * template.
 */
export function checkEmbeddedKeys(
  manifest: KubeObject,
  {
    clusters,
    klass,
  }: { readonly clusters: readonly Cluster[]; readonly klass: TenantClassDeclaration },
  refuse: RuleReporter,
): void {
  const areOwnFree = klass.spec.selfService?.templates?.policy === 'Disabled';
  const check: Check = (entries, path) => {
    for (const [key, value] of Object.entries(entries)) {
      const message = findKeyFault(key, value, clusters);
      if (message !== undefined && !(areOwnFree && OWN_KEY.test(key)))
        refuse([...path, key], message, 'reserved-key');
    }
  };
  for (const field of Object.keys(manifest)) {
    if (field !== 'metadata') checkNested(manifest[field], [field], check);
  }
}

type Check = (entries: Readonly<Record<string, unknown>>, path: Path) => void;

/** Matches keys that a class may allow in templates. */
const OWN_KEY = /^([^/]*\.)?tenantry\.dev\//;

function checkNested(value: unknown, path: Path, check: Check): void {
  if (path.length > DEEPEST) return;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) checkNested(item, [...path, i], check);
    return;
  }
  if (!isMapping(value)) return;
  const field = path.at(-1);
  if (typeof field === 'string' && KEYED.test(field)) {
    check(value, path);
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    if (!SELECTING.has(key)) checkNested(inner, [...path, key], check);
  }
}

function findKeyFault(
  key: string,
  value: unknown,
  clusters: readonly Cluster[],
): string | undefined {
  if (key === INSTANCE_LABEL && typeof value === 'string' && namesApplication(value, clusters)) {
    return `must not name an Application of the platform, got ${show(value)}`;
  }
  const reserved = templateKeys.has(key) ? undefined : explainReservedKey(key);
  if (reserved === undefined) return undefined;
  return `must not be set: the key ${show(key)} ${reserved}, and a controller would copy it`;
}
