/** The label with the Application of an object, for an Argo CD that tracks by labels. */
export const INSTANCE_LABEL = 'app.kubernetes.io/instance';

/** The Application that keeps all others. */
export const ROOT_APPLICATION = 'tenantry';

interface Named {
  readonly name: string;
}

/**
 * Returns the prefixes of the names of all other Applications of Tenantry that sync to one of the clusters. An
 * Application for another cluster does not watch these clusters.
 */
export function applicationPrefixes(clusters: readonly Named[]): readonly string[] {
  return [`${ROOT_APPLICATION}-`, ...clusters.map(({ name }) => `${name}.`)];
}

/** Whether a text is the name of such an Application, or could become one. */
export function namesApplication(text: string, clusters: readonly Named[]): boolean {
  if (text === ROOT_APPLICATION) return true;
  return applicationPrefixes(clusters).some((prefix) => text.startsWith(prefix));
}
