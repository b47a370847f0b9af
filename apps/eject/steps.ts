import { accessRequest } from '../../crds/access-request.ts';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { TENANT_LABEL } from '../../model/ownership.ts';
import { layout } from '../../model/layout.ts';
import { quoteForShell } from '../shell-word.ts';
import { isAdmissionPolicy } from './policies.ts';
import type { Ejection, LeftOut } from './ejection.ts';

/** What remains to be done with an ejection: facts, from which the README has its commands. */
export interface LeavingSteps {
  /** Argo CD's objects of the output; undefined if it has none. */
  readonly argocd?: {
    readonly namespace: string;
    /** The files of Applications that no longer sync their folder, sorted. */
    readonly releasedFiles: readonly string[];
    /** The names of these Applications, sorted. */
    readonly releasedApplications: readonly string[];
    /** The revisions that clusters sync, if they differ from that of the other Argo CD objects. */
    readonly revisions: readonly string[];
  };
  readonly clusters: readonly ClusterSteps[];
  /** Whether a label by which other systems may select namespaces is removed. */
  readonly removesTenantLabel: boolean;
  /** Whether the operator could write objects of tenants, whose fields it then still owns. */
  readonly couldHeal: boolean;
  /** Whether people could request access for some hours. */
  readonly hasRequests: boolean;
}

/** The steps on one cluster. */
export interface ClusterSteps {
  readonly name: string;
  /** The namespace of the operator; undefined if none was rendered. */
  readonly namespace?: string;
  /** The number of bindings and projects that name accounts of that namespace. */
  readonly accountsNamed: number;
  /** Commands that remove the operator, in the order in which nothing gains rights. */
  readonly removeOperator: readonly string[];
  /** Commands that remove the admission policies; empty if they stay. */
  readonly removePolicies: readonly string[];
}

/** Computes the steps that remain after an ejection. */
export function planLeaving(ejection: Ejection): LeavingSteps {
  const { leftOut, kept } = ejection;
  const root = kept.find(
    ({ path, object }) => path === layout.argocd.rootFile && isApplication(object),
  );
  const released = leftOut.filter(({ reason }) => reason === 'application');
  return {
    ...(root !== undefined && {
      argocd: {
        namespace: root.object.metadata.namespace ?? 'argocd',
        releasedFiles: released.map(({ path }) => path).toSorted(),
        releasedApplications: released.map(({ object }) => object.metadata.name).toSorted(),
        revisions: listOtherRevisions(ejection, revisionOf(root.object)),
      },
    }),
    clusters: ejection.clusters.map((name) => planCluster(name, ejection)),
    removesTenantLabel: ejection.marks.some(
      ({ mark, readers }) => mark.key === TENANT_LABEL && readers.length === 0,
    ),
    couldHeal: leftOut.some(
      ({ object, reason }) => reason === 'operator' && isAdmissionPolicy(object),
    ),
    hasRequests: leftOut.some(({ object }) => object.metadata.name === REQUESTS),
  };
}

/** The definition of AccessRequests. */
const REQUESTS = `${accessRequest.plural}.${accessRequest.group}`;

const isApplication = ({ apiVersion, kind }: KubeObject): boolean =>
  groupOf(apiVersion) === 'argoproj.io' && kind === 'Application';

const revisionOf = ({ spec }: KubeObject): unknown => valueAt(spec, ['source', 'targetRevision']);

function listOtherRevisions({ kept }: Ejection, revision: unknown): string[] {
  const found = kept.flatMap(({ path, object }) => {
    if (!path.startsWith('argocd/clusters/') || !isApplication(object)) return [];
    const other = revisionOf(object);
    return typeof other === 'string' && other !== revision ? [other] : [];
  });
  return [...new Set(found)].toSorted();
}

function planCluster(name: string, { leftOut, kept }: Ejection): ClusterSteps {
  const here = leftOut.filter(({ cluster }) => cluster === name);
  const operator = objectsOf(here, 'operator');
  const namespace = operator.find(({ kind }) => kind === 'Namespace')?.metadata.name;
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    accountsNamed:
      namespace === undefined
        ? 0
        : kept.filter(({ object }) => namesAccountsOf(object, namespace)).length,
    removeOperator: [
      ...stopOperator(operator),
      ...deleteInOrder(
        operator.filter(({ kind }) => kind !== 'Namespace' && kind !== 'Deployment'),
      ),
    ],
    removePolicies: deleteInOrder(objectsOf(here, 'policy')),
  };
}

const objectsOf = (leftOut: readonly LeftOut[], reason: LeftOut['reason']): KubeObject[] =>
  leftOut.flatMap((one) => (one.reason === reason ? [one.object] : []));

function namesAccountsOf(object: KubeObject, namespace: string): boolean {
  const bound = listAt(object, ['subjects']).some(
    (subject) => isMapping(subject) && subject['namespace'] === namespace,
  );
  const impersonated = listAt(object, ['spec', 'destinationServiceAccounts']).some((one) =>
    String(valueAt(one, ['defaultServiceAccount'])).startsWith(`${namespace}:`),
  );
  return bound || impersonated;
}

/** Deletes the Deployments of the operator, and waits until no pod of them runs. */
function stopOperator(operator: readonly KubeObject[]): string[] {
  return operator
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(({ metadata: { name, namespace }, spec }) => {
      const selected = valueAt(spec, ['selector', 'matchLabels']);
      const labels = isMapping(selected) ? Object.entries(selected) : [];
      const selector = labels.map(([key, value]) => `${key}=${String(value)}`).join(',');
      return [
        `kubectl -n ${quoteForShell(namespace ?? 'default')} delete deployment ${quoteForShell(name)} --ignore-not-found`,
        `kubectl -n ${quoteForShell(namespace ?? 'default')} wait pod -l ${quoteForShell(selector)} --for delete --timeout 2m`,
      ];
    });
}

/**
 * The order of removal: access first, so that a token of the account has no right before the policy that limits it
 * is removed; bindings of policies before the policies.
 */
const ORDER: readonly RegExp[] = [
  /^(Cluster)?RoleBinding$/,
  /^(Cluster)?Role$/,
  /^ServiceAccount$/,
  /^(?!.*AdmissionPolicy)/,
  /AdmissionPolicyBinding$/,
  /AdmissionPolicy$/,
];

function deleteInOrder(objects: readonly KubeObject[]): string[] {
  const rank = ({ kind }: KubeObject): number => ORDER.findIndex((kinds) => kinds.test(kind));
  const sorted = objects.toSorted((a, b) => rank(a) - rank(b));
  const groups = Map.groupBy(
    sorted,
    ({ apiVersion, kind, metadata }) =>
      `${metadata.namespace === undefined ? '' : `-n ${quoteForShell(metadata.namespace)} `}delete ${formatKind(apiVersion, kind)}`,
  );
  return Array.from(groups, ([command, some]) => {
    const names = some.map(({ metadata }) => quoteForShell(metadata.name)).join(' ');
    return `kubectl ${command} ${names} --ignore-not-found`;
  });
}

/** Formats a kind for kubectl: `rolebinding.rbac.authorization.k8s.io`. */
function formatKind(apiVersion: string, kind: string): string {
  const group = groupOf(apiVersion);
  return quoteForShell(kind.toLowerCase() + (group === '' ? '' : `.${group}`));
}
