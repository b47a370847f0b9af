import type { KubeObject } from '@tenantry/kube/object';
import { emitYaml } from '@tenantry/kube/yaml/write';

/** The settings of a kind beyond Argo CD's defaults: a part of its ConfigMap `argocd-cm`. */
export interface ResourceCustomization {
  readonly group: string;
  readonly kind: string;
  /** Lua that returns the health of an object. Argo CD provides the libraries base, table and a part of os only. */
  readonly health?: string;
  /** The actions that people can run on an object by a button. */
  readonly actions?: ResourceActions;
  /** Fields whose changes trigger no refresh of an Application. */
  readonly ignoreResourceUpdates?: { readonly jsonPointers: readonly string[] };
}

/** The actions of a kind. */
export interface ResourceActions {
  /** Lua that returns the actions of an object, and which of them are disabled now. */
  readonly discovery: string;
  readonly definitions: readonly ResourceAction[];
}

/** One action. */
export interface ResourceAction {
  readonly name: string;
  /** Lua that returns the changed object; Argo CD sends the difference as a merge patch. */
  readonly lua: string;
}

/** The settings in Argo CD's ConfigMap `argocd-cm`. */
interface ArgoCdSettings {
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

/**
 * Renders the scripts as files, with paths as in Argo CD's own repository: `resource_customizations/<group>/<Kind>/`,
 * beside their tests.
 */
export function renderScriptFiles(
  customizations: readonly ResourceCustomization[],
): [path: string, text: string][] {
  return customizations.flatMap(({ group, kind, health, actions }) => {
    const folder = `${group}/${kind}`;
    const files: [string, string][] = [];
    if (health !== undefined) files.push([`${folder}/health.lua`, health]);
    if (actions) files.push([`${folder}/actions/discovery.lua`, actions.discovery]);
    for (const { name, lua } of actions?.definitions ?? []) {
      files.push([`${folder}/actions/${name}/action.lua`, lua]);
    }
    return files;
  });
}
