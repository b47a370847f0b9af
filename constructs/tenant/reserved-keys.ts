/** The label by which an Argo CD that tracks by labels knows the Application of an object. */
export const INSTANCE_LABEL = 'app.kubernetes.io/instance';

/** The Application that holds all others. */
export const ROOT_APPLICATION = 'tenantry';

interface Named {
  readonly name: string;
}

/**
 * How the names of all other Applications of Tenantry begin that sync to one of the clusters. An Application for another
 * cluster does not look at these.
 */
export function applicationPrefixes(clusters: readonly Named[]): readonly string[] {
  return [`${ROOT_APPLICATION}-`, ...clusters.map(({ name }) => `${name}.`)];
}

/** Whether a text is the name of such an Application, or could become one. */
export function namesApplication(text: string, clusters: readonly Named[]): boolean {
  if (text === ROOT_APPLICATION) return true;
  return applicationPrefixes(clusters).some((prefix) => text.startsWith(prefix));
}
