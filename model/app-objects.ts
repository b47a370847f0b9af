/**
 * The annotation of a Tenant in Git that lists the objects which an app in TypeScript creates in its namespaces on the
 * cluster, one a line. The spec does not declare them, so the operator would otherwise report them as undeclared, and
 * remove bindings among them.
 */
export const APP_OBJECTS = 'tenantry.dev/app-objects';

/** The maximum size in bytes. The API server accepts 256 KiB of annotations for an object; the rest is for appliers. */
const MAX_BYTES = 200_000;

/**
 * Formats the value of the annotation.
 * @param identities as `identityOf` builds them
 * @throws {RangeError} for more than fit into an annotation
 */
export function formatAppObjects(identities: readonly string[]): string {
  const text = identities.toSorted().join('\n');
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_BYTES) return text;
  throw new RangeError(
    `must make objects whose names have at most ${MAX_BYTES} bytes in all of its namespaces on a cluster, got ${bytes}`,
  );
}

/** Returns the identities in the annotation of a Tenant; none if it has no such annotation. */
export function parseAppObjects({
  annotations,
}: {
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}): ReadonlySet<string> {
  const text = annotations?.[APP_OBJECTS];
  return new Set(text ? text.split('\n') : []);
}
