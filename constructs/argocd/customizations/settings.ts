import type { KubeObject } from '../../../kube/object.ts';
import { emitYaml } from '../../../kube/yaml/write.ts';
import type { ResourceActions, ResourceCustomization } from './customization.ts';

/** The settings in Argo CD's ConfigMap `argocd-cm`. */
export interface ArgoCdSettings {
  /** @default - none */
  readonly customizations?: readonly ResourceCustomization[];
  /** The kinds that it watches. @default - the settings of others, or else all kinds */
  readonly inclusions?: readonly object[];
  /** Whether Applications of tenants are synced as accounts of the tenants. @default false */
  readonly impersonation?: boolean;
}

/**
 * Builds the part of Argo CD's ConfigMap `argocd-cm` with these settings. Each setting has a key of its own, so the
 * part can be applied server-side, or merged as a patch, beside the settings of others.
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
        // Projects without accounts are synced as before. Projects of tenants name an account for each destination.
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

/** Formats a list as YAML that is part of another document. */
function formatList(list: readonly object[]): string {
  const key = 'list';
  return emitYaml([{ [key]: list }]).slice(`${key}:\n`.length);
}
