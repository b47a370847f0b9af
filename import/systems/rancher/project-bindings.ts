import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { RBAC_GROUP } from '../../../model/layers/grants.ts';
import type { BindingObject, Subject } from '../../access.ts';
import { isEqual } from '../../counting.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import type { FoundProject } from './projects.ts';
import type { ProjectRoleTemplateBinding, RoleTemplate } from './rancher-kinds.ts';
import { buildRules, RoleTemplates } from './role-templates.ts';

type Binding = SystemObject<ProjectRoleTemplateBinding>;

/**
 * Binds the subjects of projects in their namespaces: to the ClusterRoles of external RoleTemplates, and to Roles with
 * the rules of all others.
 *
 * Source: pkg/controllers/managementuser/rbac/prtb_handler.go and pkg/rbac/common.go
 */
export function bindSubjects(
  projects: ReadonlyMap<string, FoundProject>,
  source: SystemSource,
  translation: Translation,
): void {
  const templates = new RoleTemplates(source);
  const roles = new Map(
    source.objects
      .filter(({ object }) => object.kind === 'Role')
      .map((found) => [`${source.namespaceOf(found)}/${found.object.metadata.name}`, found]),
  );
  const granted = new Set<string>();
  const bindings = source.objectsOf<ProjectRoleTemplateBinding>('ProjectRoleTemplateBinding');
  for (const binding of bindings) {
    const { projectName, roleTemplateName } = binding.content;
    const project = projects.get(projectName);
    if (!project) {
      translation.leaveOut(
        binding.found,
        `the source has no tenant's namespace of project ${projectName}`,
      );
      continue;
    }
    const names = project.namespaces.map(({ object }) => object.metadata.name);
    const subject = readSubject(binding);
    const gathered = templates.gather(roleTemplateName);
    binding.take(['projectName'], `the tenant ${project.tenant}`);
    const fault = typeof gathered === 'string' ? gathered : findTaken(names, gathered, roles);
    if (fault !== undefined) binding.leave(['roleTemplateName'], fault);
    else if (!subject) binding.leave(['roleTemplateName'], 'nobody is bound to it');
    if (fault !== undefined || !subject || typeof gathered === 'string') continue;
    binding.take(['roleTemplateName'], `\`access\` of ${names.join(', ')}`);
    for (const name of names) {
      for (const template of gathered) {
        grant(name, template, subject, binding, translation);
        for (const role of [template.name, `${template.name}-aggregator`]) {
          granted.add(keyOf(name, role, subject));
        }
      }
    }
  }
  templates.record(translation);
  explainBindings(granted, source, translation);
}

const nameRole = ({ name }: SystemObject): string => `rancher-${name}`;

function grant(
  namespace: string,
  template: SystemObject<RoleTemplate>,
  subject: Subject,
  binding: Binding,
  translation: Translation,
): void {
  if (template.content.external) {
    const { name } = template;
    translation.bind(namespace, { kind: 'ClusterRole', name }, [subject], binding);
    return;
  }
  const rules = buildRules(template);
  if (rules.length === 0) return;
  const name = nameRole(template);
  const apiVersion = `${RBAC_GROUP}/v1`;
  translation.addObject(
    namespace,
    { apiVersion, kind: 'Role', metadata: { name }, rules },
    template,
  );
  translation.bind(namespace, { kind: 'Role', name }, [subject], binding);
}

/** A Role of the source with the name of a translated one would get its subjects. */
function findTaken(
  namespaces: readonly string[],
  templates: readonly SystemObject<RoleTemplate>[],
  roles: ReadonlyMap<string, unknown>,
): string | undefined {
  for (const namespace of namespaces) {
    const taken = templates.find((one) => roles.has(`${namespace}/${nameRole(one)}`));
    if (taken) return `namespace ${namespace} has a Role ${nameRole(taken)} of its own: rename it`;
  }
  return undefined;
}

/** Returns the subject that Rancher binds, and records its fields; undefined if Rancher or the source has none. */
function readSubject(binding: Binding): Subject | undefined {
  const { userName, userPrincipalName, groupName, groupPrincipalName, serviceAccount } =
    binding.content;
  const local = /^local:\/\/(u-[a-z0-9]+|user-[a-z0-9]+)$/.exec(userPrincipalName ?? '')?.[1];
  const user = userName || local;
  const stated: [field: string, subject: Subject][] = [];
  if (user)
    stated.push([userName ? 'userName' : 'userPrincipalName', { kind: 'User', name: user }]);
  if (groupPrincipalName) {
    stated.push(['groupPrincipalName', { kind: 'Group', name: groupPrincipalName }]);
  }
  if (groupName) stated.push(['groupName', { kind: 'Group', name: groupName }]);
  if (serviceAccount) {
    const [namespace = '', name] = serviceAccount.split(/:(.*)/s);
    if (name) stated.push(['serviceAccount', { kind: 'ServiceAccount', name, namespace }]);
    else binding.leave(['serviceAccount'], 'Rancher refuses it: it must be <namespace>:<name>');
  }
  if (userPrincipalName && !user) {
    binding.leave(
      ['userPrincipalName'],
      'Rancher gives the user an id such as u-abc12, which the source lacks: export the binding from the management cluster, where `userName` has it',
    );
  }
  if (stated.length > 1) {
    for (const [field] of stated) binding.leave([field], 'Rancher refuses more than one subject');
    return undefined;
  }
  const [only] = stated;
  if (!only) return undefined;
  const [field, subject] = only;
  binding.take([field], `${subject.kind} ${subject.name} in \`access\``);
  if (field === 'userName')
    binding.take(['userPrincipalName'], `User ${subject.name} in \`access\``);
  return subject;
}

const keyOf = (namespace: string, role: string, { kind, name }: Subject): string =>
  `${namespace} ${role} ${kind} ${name}`;

/** Whether Rancher made a RoleBinding for a binding of a project. */
export function isRancherBinding({ kind, metadata }: KubeObject): boolean {
  const labels = Object.keys(metadata.labels ?? {});
  return (
    kind === 'RoleBinding' &&
    labels.some((key) => /^authz\.cluster\.cattle\.io\/(?:rtb|prtb)-owner/.test(key))
  );
}

function explainBindings(
  granted: ReadonlySet<string>,
  { objects, namespaceOf }: SystemSource,
  translation: Translation,
): void {
  for (const found of objects) {
    if (!isRancherBinding(found.object)) continue;
    const { roleRef, subjects } = found.object as BindingObject;
    const all = Array.isArray(subjects) ? subjects : [];
    const namespace = namespaceOf(found)!;
    const isGranted =
      isMapping(roleRef) &&
      isEqual(roleRef.kind, 'ClusterRole') &&
      all.every((one) => granted.has(keyOf(namespace, roleRef.name, one)));
    if (isGranted) translation.explainMade(found, 'Rancher made it, and `access` has its effect');
    else {
      translation.leaveOut(
        found,
        'Rancher made it for a ProjectRoleTemplateBinding that is not translated: export that and its RoleTemplate from the management cluster',
      );
    }
  }
}
