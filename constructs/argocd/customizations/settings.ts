import type { KubeObject } from '../../../kube/object.ts';
import { emitYaml } from '../../../kube/yaml/write.ts';
import type { ResourceActions, ResourceCustomization } from './customization.ts';

/** What is said in Argo CD's ConfigMap `argocd-cm`. */
export interface ArgoCdSettings {
  /** @default - none */
  readonly customizations?: readonly ResourceCustomization[];
  /** Which kinds it looks at. @default - what others have said, or else all */
  readonly inclusions?: readonly object[];
  /** Whether Applications of tenants are synced as accounts of theirs. @default false */
  readonly impersonation?: boolean;
}

/**
 * The part of Argo CD's ConfigMap `argocd-cm` that says this, in keys of its own, so that it can be
 * applied server-side, or merged as a patch, beside what others have in it.
 * Source: https://argo-cd.readthedocs.io/en/stable/operator-manual/argocd-cm-yaml/
 */
export function buildSettingsConfigMap(
  namespace: string,
  { customizations = [], inclusions, impersonation = false }: ArgoCdSettings,
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm', namespace },
    data: {
      ...Object.fromEntries(customizations.flatMap(formatCustomization)),
      ...(inclusions && { 'resource.inclusions': formatList(inclusions) }),
      ...(impersonation && {
        'application.sync.impersonation.enabled': 'true',
        // What has a project without accounts is synced as before. Projects of tenants name one for each destination.
        'application.sync.impersonation.enforced': 'false',
      }),
    },
  };
}

function formatCustomization(one: ResourceCustomization): [key: string, value: string][] {
  const { group, kind, health, actions, ignoreResourceUpdates } = one;
  const values = {
    health,
    actions: actions && emitYaml([formatActions(actions)]),
    ignoreResourceUpdates: ignoreResourceUpdates && emitYaml([ignoreResourceUpdates]),
  };
  return Object.entries(values).flatMap(([type, value]) =>
    value === undefined
      ? []
      : [[`resource.customizations.${type}.${group}_${kind}`, value] as [string, string]],
  );
}

function formatActions({ discovery, definitions }: ResourceActions): object {
  return {
    'discovery.lua': discovery,
    definitions: definitions.map(({ name, lua }) => ({ name, 'action.lua': lua })),
  };
}

/** YAML of a list, which is no document of its own here. */
function formatList(list: readonly object[]): string {
  const key = 'list';
  return emitYaml([{ [key]: list }]).slice(`${key}:\n`.length);
}
