import { builtinNamespaced, builtinResources } from '@tenantry/kube/builtin-kinds';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { PolicyRule } from '../../../crds/types.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import type { RoleTemplate } from './rancher-kinds.ts';

type Template = SystemObject<RoleTemplate>;

/** The templates of a source, and those that a binding uses. */
export class RoleTemplates {
  readonly #all: ReadonlyMap<string, Template>;
  readonly #used = new Set<Template>();

  constructor(source: SystemSource) {
    const all = source.objectsOf<RoleTemplate>('RoleTemplate');
    this.#all = new Map(all.map((one) => [one.name, one]));
  }

  /**
   * Returns a template with all that it includes, or why Rancher or Tenantry cannot bind it.
   *
   * Source: gatherRoles of pkg/controllers/managementuser/rbac/handler_base.go
   */
  gather(name: string): readonly Template[] | string {
    const names = new Set([name]);
    const found: Template[] = [];
    for (const one of names) {
      const template = this.#all.get(one);
      if (!template) {
        return `the source has no RoleTemplate ${one}: export it from the management cluster`;
      }
      if (template.content.context === 'cluster') {
        return `RoleTemplate ${one} is for whole clusters, and no role of a tenant`;
      }
      found.push(template);
      for (const inner of template.content.roleTemplateNames ?? []) names.add(inner);
    }
    for (const template of found) this.#used.add(template);
    return found;
  }

  /** Records what became of the templates. One that nothing binds grants nothing. */
  record(translation: Translation): void {
    for (const template of this.#all.values()) {
      if (this.#used.has(template)) recordTemplate(template);
      else {
        const reason = 'no binding of a project in the source uses it, so it grants nothing';
        translation.explainMade(template.found, reason);
      }
    }
  }
}

/** Returns the rules of a template that a Role can have, as Rancher writes them. */
export function buildRules({ content }: Template): PolicyRule[] {
  return (content.rules ?? []).flatMap((rule): PolicyRule[] => {
    const { apiGroups = [], resources = [], resourceNames, verbs = [] } = rule;
    if (resources.length === 0 || verbs.length === 0) return [];
    return [
      omitUndefined<PolicyRule>({
        apiGroups,
        resources: resources.map((one) => one.toLowerCase()),
        resourceNames: resourceNames?.length ? resourceNames : undefined,
        verbs: verbs.map((one) => one.toLowerCase()),
      } as PolicyRule),
    ];
  });
}

const forInterface = 'only the interface of Rancher reads it';

function recordTemplate(template: Template): void {
  const { name, content } = template;
  for (const field of ['displayName', 'description', 'builtin', 'hidden', 'administrative']) {
    template.take([field], forInterface);
  }
  template.take(['context'], 'roles in namespaces');
  template.take(['locked'], 'a review decides about new bindings');
  for (const field of ['clusterCreatorDefault', 'projectCreatorDefault']) {
    template.take([field], 'a pull request creates tenants, with those who have access to them');
  }
  for (const i of (content.roleTemplateNames ?? []).keys()) {
    template.take(['roleTemplateNames', i], 'further roles of the same subjects');
  }
  template.take(['external'], content.external ? `the ClusterRole ${name}` : 'rules of its own');
  if (content.external) {
    template.leave(['externalRules'], `the ClusterRole ${name} of the cluster has its own rules`);
    template.leave(['rules'], `Rancher ignores them, and binds the ClusterRole ${name}`);
    return;
  }
  for (const [i, rule] of (content.rules ?? []).entries()) {
    const wide = findWide(rule.apiGroups, rule.resources);
    for (const field of ['apiGroups', 'resources', 'resourceNames', 'verbs']) {
      const path = ['rules', i, field];
      if (field === 'resources' && wide !== undefined) {
        template.change(
          path,
          `Role rancher-${name}`,
          `a Role grants nothing on ${wide} outside of its namespace, for which Rancher makes ClusterRoleBindings`,
        );
      } else template.take(path, `Role rancher-${name}`);
    }
    template.leave(
      ['rules', i, 'nonResourceURLs'],
      'a Role cannot have paths: use a ClusterRoleBinding of the platform',
    );
  }
}

/** Returns a resource of a rule that lies in no namespace, or that only Rancher has. */
function findWide(groups: readonly string[] = [], resources: readonly string[] = []) {
  if (groups.includes('management.cattle.io')) return 'resources of Rancher';
  return resources.find((resource) => groups.some((group) => isClusterScoped(group, resource)));
}

function isClusterScoped(group: string, resource: string): boolean {
  const name = resource.toLowerCase();
  if (!builtinResources(group)?.has(name)) return false;
  return ![...builtinNamespaced].some(
    ([id, plural]) => plural === name && id.slice(0, id.indexOf('/')) === group,
  );
}
