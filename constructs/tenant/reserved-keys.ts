import type { Platform } from './declaration.ts';

/** The label by which an Argo CD that tracks by labels knows the Application of an object. */
export const INSTANCE_LABEL = 'app.kubernetes.io/instance';

/** The Application that holds all others. */
export const ROOT_APPLICATION = 'tenantry';

/** How the names of all other Applications of Tenantry begin. */
export function applicationPrefixes({ clusters }: Pick<Platform, 'clusters'>): readonly string[] {
  return [`${ROOT_APPLICATION}-`, ...clusters.map(({ name }) => `${name}.`)];
}

/** Whether a text is the name of an Application of Tenantry, or could become one. */
export function namesApplication(text: string, platform: Pick<Platform, 'clusters'>): boolean {
  if (text === ROOT_APPLICATION) return true;
  return applicationPrefixes(platform).some((prefix) => text.startsWith(prefix));
}
