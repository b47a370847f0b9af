import type { AccessRule, Verb } from '@tenantry/kube/access';
import type { KubeObject } from '@tenantry/kube/object';
import { tenant } from '../../crds/tenant.ts';
import type { Platform } from '../declaration.ts';
import { ADOPT_BY_LABEL, POLICY_ANNOTATIONS, TENANT_LABEL } from '../ownership.ts';
import { celList, celMatches } from '../policies/cel.ts';
import { resolveProtection } from '../protected.ts';
import { tenantResources, OPERATOR, formatQualifiedResource } from './access.ts';

/** The name of the policy and of its binding. */
export const WRITE_POLICY = 'tenantry-operator.tenantry.dev';

/** The input of the policy. */
interface WritePolicyProps {
  readonly platform: Platform;
  /** The operator's namespace. */
  readonly namespace: string;
  /** The access rules, of which its roles are made. */
  readonly access: readonly AccessRule[];
  /** The ClusterRoles that its role bindings may refer to. */
  readonly clusterRoles: readonly string[];
}

/**
 * Builds a ValidatingAdmissionPolicy and its binding, for the operator's account alone. RBAC cannot
 * select by labels, so the operator's roles are cluster-wide. The policy restricts them to the
 * namespaces of tenants.
 *
 * It lists what the account may write, and refuses all other writes, whatever other roles somebody
 * binds to the account. Source:
 * https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
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
      // A review of access writes nothing.
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

/**
 * Builds the variables of the policy. CEL evaluates each one when it is first used, and it may use
 * those before it.
 */
function buildVariables({
  platform,
  namespace,
}: WritePolicyProps): Readonly<Record<string, string>> {
  const { fixed, usual, released } = resolveProtection(platform);
  const always = celMatches([...fixed, namespace], 'variables.place');
  const conventional = celMatches(usual, 'variables.place');
  return {
    what: "request.resource.resource + (request.?subResource.orValue('') == '' ? '' : '/' + request.subResource) + (request.resource.group == '' ? '' : '.' + request.resource.group)",
    // For a created object the path contains no name.
    name: "object.?metadata.?name.orValue('') != '' ? object.metadata.name : request.?name.orValue('')",
    place: `variables.what == '${NAMESPACES}' ? variables.name : request.?namespace.orValue('')`,
    isTenants: `variables.what in ${celList([NAMESPACES, ...tenantResources])}`,
    tenant: `variables.what == '${NAMESPACES}' ? (object == null ? '' : ${label('object', TENANT_LABEL)}) : (namespaceObject == null ? '' : ${label('namespaceObject', TENANT_LABEL)})`,
    isProtected: `${always} || (!(variables.place in ${celList(released)}) && ${conventional})`,
  };
}

/** One restriction of the operator. */
interface WriteRule {
  /** A CEL condition that selects the requests. @default - every request */
  readonly only?: string;
  readonly holds: string;
  /** CEL for the message of a refused request. */
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
      // The namespace of events about cluster-scoped objects.
      holds: "variables.place == 'default'",
      message: "'the operator must tell events of Tenants alone, got one in ' + variables.place",
    },
    ...buildAccountRules(access),
    tenantRule,
  ];
}

/**
 * Restricts changes of ServiceAccounts to those that controllers create, if the access is limited
 * to their names. RBAC enforces the same names.
 */
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

/** A Namespace keeps its tenant. One without a tenant may become the tenant's if it is released to it. */
const namespaceRule = (released: readonly string[]): WriteRule => ({
  only: `variables.what == '${NAMESPACES}' && request.operation == 'UPDATE'`,
  holds: `${label('oldObject', TENANT_LABEL)} == variables.tenant || (${label('oldObject', TENANT_LABEL)} == '' && (${label('oldObject', ADOPT_BY_LABEL)} == variables.tenant || variables.place in ${celList(released)}))`,
  message: `'a Namespace must be of the tenant, or of none and have the label ${ADOPT_BY_LABEL}: ' + variables.tenant + ', got ' + variables.place`,
});

const unchangedFields = ['labels', 'annotations', 'ownerReferences'].map(
  (field) =>
    `object.metadata.?${field}.orValue(dyn([])) == oldObject.metadata.?${field}.orValue(dyn([]))`,
);
/** The finalizers of other controllers. */
const celForeignFinalizers = (object: string): string =>
  `${object}.metadata.?finalizers.orValue([]).filter(f, !f.startsWith('${tenant.group}/'))`;

/** Only the authors of a Tenant may change what it declares. */
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

/** Lists the requests that an access rule allows, by the operation names of admission. */
function listWrites(rule: AccessRule): string[] {
  const { verbs } = rule;
  return verbs
    .flatMap((verb) => operations[verb] ?? [])
    .map((one) => `${one} ${formatQualifiedResource(rule)}`);
}
