import type { AccessRule, Verb } from '../../kube/access.ts';
import type { KubeObject } from '../../kube/object.ts';
import { tenant } from '../../crds/tenantry/tenant.ts';
import type { Platform } from '../tenant/declaration.ts';
import { ADOPT_BY_LABEL, POLICY_ANNOTATIONS, TENANT_LABEL } from '../tenant/ownership.ts';
import { celList, celMatches } from '../tenant/policies/cel.ts';
import { resolveProtection } from '../tenant/protected.ts';
import { tenantResources, OPERATOR, formatQualifiedResource } from './access.ts';

/** The name of the policy and of its binding. */
export const WRITE_POLICY = 'tenantry-operator.tenantry.dev';

/** What the policy of an operator depends on. */
export interface WritePolicyProps {
  readonly platform: Platform;
  /** Where the operator runs. */
  readonly namespace: string;
  /** What its roles are made of. */
  readonly access: readonly AccessRule[];
  /** The ClusterRoles that its role bindings may be of. */
  readonly clusterRoles: readonly string[];
}

/**
 * A ValidatingAdmissionPolicy with its binding, about the account of the operator alone: RBAC knows no label, so
 * its roles are for the whole cluster, and this holds them to the namespaces of tenants. It says what that account
 * may write, and refuses all else, whatever other roles somebody binds to it.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export function buildWritePolicy(
  props: WritePolicyProps,
): Readonly<Record<'write-policy' | 'write-policy-binding', KubeObject>> {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const metadata = { name: WRITE_POLICY, annotations: POLICY_ANNOTATIONS };
  return {
    'write-policy': {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: writePolicySpec(props),
    },
    'write-policy-binding': {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: WRITE_POLICY, validationActions: ['Deny'] },
    },
  };
}

function writePolicySpec(props: WritePolicyProps): object {
  return {
    failurePolicy: 'Fail',
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [
        {
          apiGroups: ['*'],
          apiVersions: ['*'],
          operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
          resources: ['*/*'],
          scope: '*',
        },
      ],
      // Who asks what they may do writes nothing.
      excludeResourceRules: ['authentication.k8s.io', 'authorization.k8s.io'].map((group) => ({
        apiGroups: [group],
        apiVersions: ['*'],
        operations: ['CREATE'],
        resources: ['*'],
        scope: '*',
      })),
    },
    matchConditions: [
      {
        name: 'the-operator',
        expression: `request.userInfo.username == 'system:serviceaccount:${props.namespace}:${OPERATOR}'`,
      },
    ],
    variables: Object.entries(buildVariables(props)).map(([name, expression]) => ({
      name,
      expression,
    })),
    validations: buildRules(props).map(({ only, holds, message }) => ({
      expression: only === undefined ? holds : `!(${only}) || (${holds})`,
      messageExpression: message,
      reason: 'Forbidden',
    })),
  };
}

const NAMESPACES = 'namespaces';
const ACCOUNTS = 'serviceaccounts';
const BINDINGS = 'rolebindings.rbac.authorization.k8s.io';
const LEASES = 'leases.coordination.k8s.io';
const EVENTS = 'events.events.k8s.io';
const TENANTS = `${tenant.plural}.${tenant.group}`;

const label = (object: string, key: string): string =>
  `${object}.metadata.?labels[?'${key}'].orValue('')`;

/** Asked only when they are needed, each after those before it. */
function buildVariables({
  platform,
  namespace,
}: WritePolicyProps): Readonly<Record<string, string>> {
  const { fixed, usual, released } = resolveProtection(platform);
  const always = celMatches([...fixed, namespace], 'variables.place');
  const conventional = celMatches(usual, 'variables.place');
  return {
    what: "request.resource.resource + (request.?subResource.orValue('') == '' ? '' : '/' + request.subResource) + (request.resource.group == '' ? '' : '.' + request.resource.group)",
    // Of what is created the path has no name.
    name: "object.?metadata.?name.orValue('') != '' ? object.metadata.name : request.?name.orValue('')",
    place: `variables.what == '${NAMESPACES}' ? variables.name : request.?namespace.orValue('')`,
    isTenants: `variables.what in ${celList([NAMESPACES, ...tenantResources])}`,
    tenant: `variables.what == '${NAMESPACES}' ? (object == null ? '' : ${label('object', TENANT_LABEL)}) : (namespaceObject == null ? '' : ${label('namespaceObject', TENANT_LABEL)})`,
    isProtected: `${always} || (!(variables.place in ${celList(released)}) && ${conventional})`,
  };
}

/** One thing that the operator is held to. */
interface WriteRule {
  /** What it is about. @default - every request */
  readonly only?: string;
  readonly holds: string;
  /** CEL for the message where it does not hold. */
  readonly message: string;
}

function buildRules({
  access,
  namespace,
  clusterRoles,
  platform,
}: WritePolicyProps): readonly WriteRule[] {
  return [
    {
      holds: `(request.operation + ' ' + variables.what) in ${celList(access.flatMap(listWrites))}`,
      message: `'the operator must write only what its access declares, got ' + request.operation + ' ' + variables.what`,
    },
    {
      only: 'variables.isTenants',
      holds: "variables.tenant != ''",
      message: `'the operator must write only in namespaces with the label ${TENANT_LABEL}, got ' + variables.place`,
    },
    {
      only: 'variables.isTenants',
      holds: '!variables.isProtected',
      message: "'the operator must not write in protected namespaces, got ' + variables.place",
    },
    namespaceRule(platform.releasedNamespaces),
    {
      only: `variables.what in ${celList(tenantResources)} && object != null`,
      holds: `${label('object', TENANT_LABEL)} == variables.tenant || (request.operation == 'UPDATE' && ${label('object', TENANT_LABEL)} == ${label('oldObject', TENANT_LABEL)})`,
      message: `'the label ${TENANT_LABEL} of what the operator writes must be that of the namespace (' + variables.tenant + '), got ' + ${label('object', TENANT_LABEL)}`,
    },
    {
      only: `variables.what == '${BINDINGS}' && object != null`,
      holds: `object.roleRef.kind == 'Role' || object.roleRef.name in ${celList(clusterRoles)}`,
      message: `'a RoleBinding must be to a Role or to a ClusterRole that a TenantClass allowed when the operator was installed, got ' + object.roleRef.name + ': render and apply the operator with this class'`,
    },
    {
      only: `variables.what == '${LEASES}'`,
      holds: `variables.place == '${namespace}' && variables.name == '${OPERATOR}'`,
      message: `'the operator must write only its own Lease, got ' + variables.place + '/' + variables.name`,
    },
    {
      only: `variables.what == '${EVENTS}'`,
      // Where events lie of what lies in no namespace.
      holds: "variables.place == 'default'",
      message: "'the operator must tell events of Tenants alone, got one in ' + variables.place",
    },
    ...buildAccountRules(access),
    tenantRule,
  ];
}

/** Where only the accounts that controllers make may be changed, RBAC bounds the operator to their names, and so does this. */
function buildAccountRules(access: readonly AccessRule[]): readonly WriteRule[] {
  const named = access.find(
    (rule) => formatQualifiedResource(rule) === ACCOUNTS && rule.resourceNames !== undefined,
  );
  if (!named) return [];
  return [
    {
      only: `variables.what == '${ACCOUNTS}' && request.operation == 'UPDATE'`,
      holds: `variables.name in ${celList(named.resourceNames ?? [])}`,
      message: `'the operator must change only ServiceAccounts that controllers create, got ' + variables.place + '/' + variables.name`,
    },
  ];
}

/** A Namespace stays the tenant's whose it is, and becomes one's to which it was released. */
const namespaceRule = (released: readonly string[]): WriteRule => ({
  only: `variables.what == '${NAMESPACES}' && request.operation == 'UPDATE'`,
  holds: `${label('oldObject', TENANT_LABEL)} == variables.tenant || (${label('oldObject', TENANT_LABEL)} == '' && (${label('oldObject', ADOPT_BY_LABEL)} == variables.tenant || variables.place in ${celList(released)}))`,
  message: `'a Namespace must be of the tenant, or of none and have the label ${ADOPT_BY_LABEL}: ' + variables.tenant + ', got ' + variables.place`,
});

const unchangedFields = ['labels', 'annotations', 'ownerReferences'].map(
  (field) =>
    `object.metadata.?${field}.orValue(dyn([])) == oldObject.metadata.?${field}.orValue(dyn([]))`,
);
/** Finalizers of others. */
const celForeignFinalizers = (object: string): string =>
  `${object}.metadata.?finalizers.orValue([]).filter(f, !f.startsWith('${tenant.group}/'))`;

/** What a Tenant declares is for its authors to say. */
const tenantRule: WriteRule = {
  only: `variables.what == '${TENANTS}' && request.operation == 'UPDATE'`,
  holds: [
    'object.?spec.orValue({}) == oldObject.?spec.orValue({})',
    ...unchangedFields,
    `${celForeignFinalizers('object')} == ${celForeignFinalizers('oldObject')}`,
  ].join(' && '),
  message: `'the operator must change nothing of a Tenant but its own finalizers and its status, got another change of ' + variables.name`,
};

const operations: Partial<Record<Verb, string>> = {
  create: 'CREATE',
  update: 'UPDATE',
  patch: 'UPDATE',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

/** The requests that an access rule allows, as admission calls them. */
function listWrites(rule: AccessRule): string[] {
  const { verbs } = rule;
  return verbs
    .flatMap((verb) => operations[verb] ?? [])
    .map((one) => `${one} ${formatQualifiedResource(rule)}`);
}
