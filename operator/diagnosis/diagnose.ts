import type { ResourceAttributes } from '@tenantry/kube/api/authorization';
import { listOperatorAccess, OPERATOR } from '../../model/operator/access.ts';
import {
  PLATFORM_CONFIG_MAP,
  PLATFORM_FILE,
  computePlatformDigest,
} from '../../model/operator/platform-config-map.ts';
import { readDeclarations } from '../../crds/declarations.ts';
import { platform as platformKind } from '../../crds/platform.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import type { AccessRule } from '@tenantry/kube/access';
import { omitUndefined } from '@tenantry/kube/mapping';
import { truncate } from '@tenantry/kube/printable';
import { listPages, type Client } from '@tenantry/runtime/client/client';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { SubjectAccessReview } from '@tenantry/runtime/kinds/authorization';
import { Lease } from '@tenantry/runtime/kinds/coordination';
import { ConfigMap, Pod } from '@tenantry/runtime/kinds/core';
import { Tenant } from '../cluster/kinds.ts';

/** A part of the diagnosis that could not be read, and why. The rest of the diagnosis is complete. */
interface NotRead {
  readonly part: string;
  readonly why: string;
}

/** The state of the operator in a cluster. It contains no Secret, no log and no value of a tenant. */
export interface Diagnosis {
  readonly namespace: string;
  readonly deployment?: object;
  readonly pods?: readonly object[];
  readonly lease?: object;
  readonly definitions?: readonly object[];
  readonly platform?: object;
  readonly rights?: { readonly checked: number; readonly missing: readonly string[] };
  readonly tenants?: object;
  readonly notRead: readonly NotRead[];
}

type Part = Exclude<keyof Diagnosis, 'namespace' | 'notRead'>;

/** The most characters of a message from the cluster that are reported. */
const MAX_MESSAGE_LENGTH = 400;

/**
 * Reads the state of the operator in a cluster. It needs only the API server, so it works while the operator is down.
 */
export async function diagnose(client: Client, namespace: string): Promise<Diagnosis> {
  const parts: Readonly<Record<Part, () => Promise<unknown>>> = {
    deployment: () => readDeployment(client, namespace),
    pods: () => readPods(client, namespace),
    lease: () => readLease(client, namespace),
    definitions: () => readDefinitions(client),
    platform: () => readPlatform(client, namespace),
    rights: () => readRights(client, namespace),
    tenants: () => readTenants(client),
  };
  const read: Record<string, unknown> = {};
  const notRead: NotRead[] = [];
  for (const [part, ask] of Object.entries(parts)) {
    try {
      read[part] = await ask();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notRead.push({ part, why: `${error.status} ${shorten(error.message)}` });
    }
  }
  return { namespace, ...read, notRead };
}

async function readDeployment(client: Client, namespace: string): Promise<object> {
  const { spec, status } = await client.get(Deployment, { name: OPERATOR, namespace });
  const containers = spec?.template?.spec?.containers ?? [];
  return {
    images: containers.map(({ image }) => image),
    platformDigest: digestIn(containers.flatMap(({ args = [] }) => args)),
    replicas: spec?.replicas,
    readyReplicas: status?.readyReplicas ?? 0,
    conditions: (status?.conditions ?? []).map(({ type, status: is, reason, message }) => ({
      type,
      status: is,
      reason,
      message: shorten(message),
    })),
  };
}

function digestIn(args: readonly string[]): string | undefined {
  const flag = '--platform-digest=';
  return args.find((one) => one.startsWith(flag))?.slice(flag.length);
}

/** Reads the operator's pods without their environment variables, which may hold credentials. */
async function readPods(client: Client, namespace: string): Promise<readonly object[]> {
  const labelSelector = `app.kubernetes.io/name=${OPERATOR}`;
  const { items } = await client.list(Pod, { namespace, labelSelector });
  return items.map(({ metadata, status }) => ({
    name: metadata.name,
    phase: status?.phase,
    containers: (status?.containerStatuses ?? []).map((one) => ({
      image: one.image,
      imageID: one.imageID,
      ready: one.ready,
      restarts: one.restartCount,
      waiting: one.state?.waiting?.reason,
      lastExitCode: one.lastState?.terminated?.exitCode,
      lastMessage: shorten(one.lastState?.terminated?.message ?? one.state?.terminated?.message),
    })),
  }));
}

async function readLease(client: Client, namespace: string): Promise<object> {
  const { spec } = await client.get(Lease, { name: OPERATOR, namespace });
  const { holderIdentity, renewTime, leaseTransitions } = spec ?? {};
  return { holder: holderIdentity, renewTime, transitions: leaseTransitions };
}

async function readDefinitions(client: Client): Promise<readonly object[]> {
  const names = ['tenants.tenantry.dev', 'tenantclasses.tenantry.dev'];
  const found: object[] = [];
  for (const name of names) {
    const { spec, status } = await client.get(CustomResourceDefinition, { name });
    const { conditions = [], storedVersions } = status ?? {};
    const served = spec.versions.filter((one) => one.served).map((one) => one.name);
    const established = conditions.find(({ type }) => type === 'Established')?.status;
    found.push({ name, served, storedVersions, established });
  }
  return found;
}

async function fetchPlatform(client: Client, namespace: string): Promise<string> {
  const { data = {} } = await client.get(ConfigMap, { name: PLATFORM_CONFIG_MAP, namespace });
  return data[PLATFORM_FILE] ?? '';
}

/** Reads the Platform: its digest, to compare with the pods, and the number of problems that this version finds. */
async function readPlatform(client: Client, namespace: string): Promise<object> {
  const text = await fetchPlatform(client, namespace);
  const { driftPolicy, problems } = policyIn(text);
  return { digest: computePlatformDigest(text), driftPolicy, problems };
}

function policyIn(text: string): { readonly driftPolicy: DriftPolicy; readonly problems: number } {
  const none = (): never => {
    throw new Error('a Platform includes no file');
  };
  const read = readDeclarations(PLATFORM_FILE, text, [platformKind], none);
  const [first] = read.declared;
  return {
    driftPolicy: first?.spec.operator?.driftPolicy ?? 'Observe',
    problems: read.problems.length,
  };
}

/** Checks for each right that the operator needs whether its service account has it. */
async function readRights(client: Client, namespace: string): Promise<Diagnosis['rights']> {
  const { driftPolicy: policy } = policyIn(await fetchPlatform(client, namespace));
  const requests = listOperatorAccess(namespace, { policy, clusterRoles: [] }).flatMap(
    listRequests,
  );
  const missing: string[] = [];
  for (const { label, attributes } of requests) {
    const user = `system:serviceaccount:${namespace}:${OPERATOR}`;
    const spec = { user, resourceAttributes: attributes };
    const { status } = await client.create(SubjectAccessReview, { metadata: {}, spec });
    if (!status?.allowed) missing.push(label);
  }
  return { checked: requests.length, missing };
}

function listRequests({ group, resource, verbs, resourceNames, namespaces }: AccessRule) {
  const [plural = '', subresource] = resource.split('/');
  return verbs.flatMap((verb) =>
    (namespaces ?? [undefined]).flatMap((namespace) =>
      (resourceNames ?? [undefined]).map((name) => ({
        label: [verb, group === '' ? resource : `${resource}.${group}`, name]
          .filter((word) => word !== undefined)
          .join(' '),
        attributes: omitUndefined<ResourceAttributes>({
          group,
          resource: plural,
          verb,
          subresource,
          namespace,
          name,
        }),
      })),
    ),
  );
}

/** Counts tenants by the reason of their `Ready` condition. No tenant is named. */
async function readTenants(client: Client): Promise<object> {
  const byReason: Record<string, number> = {};
  const counts = { all: 0, stale: 0, deleting: 0, failedHooks: 0 };
  for await (const { items } of listPages(client, Tenant, {})) {
    for (const { metadata, status } of items) {
      const { reason = 'NoStatus' } = findCondition(status?.conditions, 'Ready') ?? {};
      byReason[reason] = (byReason[reason] ?? 0) + 1;
      counts.all += 1;
      if (status?.observedGeneration !== metadata.generation) counts.stale += 1;
      if (metadata.deletionTimestamp !== undefined) counts.deleting += 1;
      counts.failedHooks += (status?.hooks ?? []).filter(({ state }) => state === 'Failed').length;
    }
  }
  return { ...counts, byReason };
}

function shorten(text: string | undefined): string | undefined {
  return text === undefined ? undefined : truncate(text, MAX_MESSAGE_LENGTH);
}
