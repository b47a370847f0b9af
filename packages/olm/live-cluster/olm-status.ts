import type { Client } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { keyOf, type Kind, type Live } from '@tenantry/runtime/kinds/kind';
import { evaluateRollout } from '@tenantry/operator-kit/install/await/rollout';
import {
  CatalogSource,
  ClusterCatalog,
  ClusterExtension,
  ClusterServiceVersion,
  InstallPlan,
  Subscription,
} from './kinds.ts';
import { csvReasons, isFailureCondition } from './install-progress.ts';

/** The state of a part of OLM, or of something that it manages. */
interface OlmComponentStatus {
  /** `Subscription shop/redis`. */
  readonly what: string;
  /** One or two words. */
  readonly state: string;
  readonly isFine: boolean;
  /** Its origin: a package and a catalog, or a version. */
  readonly of?: string;
  /** The reasons why it does not progress, one per line. */
  readonly reasons: readonly string[];
}

/** The state of OLM on a cluster. */
interface OlmStatus {
  /** The versions of OLM whose kinds exist: `v0`, `v1`. */
  readonly versions: readonly ('v0' | 'v1')[];
  readonly standings: readonly OlmComponentStatus[];
}

/** The Deployments of OLM, as named in its published manifests. */
const programs = [
  'olm-operator',
  'catalog-operator',
  'packageserver',
  'operator-controller-controller-manager',
  'catalogd-controller-manager',
] as const;

/** Reads the state of OLM, its catalogs and what they install. It changes nothing. */
export async function olmStatus(client: Client): Promise<OlmStatus> {
  const [subscriptions, extensions] = await Promise.all([
    all(client, Subscription),
    all(client, ClusterExtension),
  ]);
  const standings: OlmComponentStatus[] = [];
  for (const name of programs) {
    const { items } = await client.list(Deployment, { fieldSelector: `metadata.name=${name}` });
    standings.push(...items.map(describeDeployment));
  }
  if (subscriptions) {
    const sources = (await all(client, CatalogSource)) ?? [];
    const versions = (await all(client, ClusterServiceVersion)) ?? [];
    const plans = (await all(client, InstallPlan)) ?? [];
    const own = versions.filter(
      ({ metadata }) => metadata.labels?.['olm.copiedFrom'] === undefined,
    );
    standings.push(
      ...sources.map(describeCatalogSource),
      ...subscriptions.map(describeSubscription),
      ...plans.flatMap(describeInstallPlan),
      ...own.map(describeCsv),
    );
  }
  if (extensions) {
    const catalogs = (await all(client, ClusterCatalog)) ?? [];
    standings.push(
      ...catalogs.map((one) => describeConditions(one, 'Serving')),
      ...extensions.map((one) => describeConditions(one, 'Installed')),
    );
  }
  const versions = [subscriptions && 'v0', extensions && 'v1'] as const;
  return { versions: versions.filter((one) => one !== undefined), standings };
}

/** Lists all objects of a kind; undefined if the kind is not served. */
async function all<K extends Kind>(
  client: Client,
  kind: K,
): Promise<readonly Live<K>[] | undefined> {
  try {
    const objects: Live<K>[] = [];
    let next: string | undefined;
    do {
      const page = await client.list(kind, { continue: next });
      objects.push(...page.items);
      next = page.continue;
    } while (next !== undefined);
    return objects;
  } catch (error) {
    if (error instanceof ApiError && error.isNotFound) return undefined;
    throw error;
  }
}

const named = ({ kind, metadata }: Live): string => `${kind} ${keyOf(metadata)}`;

function describeDeployment(deployment: Live<typeof Deployment>): OlmComponentStatus {
  const look = evaluateRollout(deployment, []);
  const isFine = 'done' in look;
  const { containers = [] } = deployment.spec?.template.spec ?? {};
  return {
    what: named({ ...deployment, kind: 'Deployment' }),
    state: isFine ? 'available' : 'not available',
    isFine,
    of: containers[0]?.image ?? '',
    reasons: isFine ? [] : look.waiting,
  };
}

function describeCatalogSource(source: Live<typeof CatalogSource>): OlmComponentStatus {
  const { connectionState, message } = source.status ?? {};
  const { lastObservedState: state = 'not connected' } = connectionState ?? {};
  // An unused connection is idle.
  const isFine = state === 'READY' || state === 'IDLE';
  const reasons = isFine
    ? []
    : [message ?? `connection to ${connectionState?.address ?? 'it'}: ${state}`];
  return {
    what: named(source),
    state,
    isFine,
    of: source.spec.image ?? source.spec.address ?? '',
    reasons,
  };
}

function describeSubscription(subscription: Live<typeof Subscription>): OlmComponentStatus {
  const { spec, status } = subscription;
  const { installedCSV, currentCSV, state = 'not looked at', conditions = [] } = status ?? {};
  const reasons = conditions
    .filter(isFailureCondition)
    .map(({ type, message, reason }) => `${type}: ${message ?? reason ?? ''}`);
  const isFine = reasons.length === 0 && state === 'AtLatestKnown';
  const waits = currentCSV !== undefined && currentCSV !== installedCSV;
  const pending = waits ? [`${currentCSV} is not installed yet`] : [];
  const of = `${spec.name}${spec.channel === undefined ? '' : ` (${spec.channel})`} of ${spec.source}: ${installedCSV ?? 'nothing installed'}`;
  return { what: named(subscription), state, isFine, of, reasons: [...reasons, ...pending] };
}

/** Describes an InstallPlan that is in progress; empty for any other. */
function describeInstallPlan(plan: Live<typeof InstallPlan>): OlmComponentStatus[] {
  const { spec, status } = plan;
  const { phase = 'not looked at' } = status ?? {};
  if (phase === 'Complete') return [];
  const lookups = (status?.bundleLookups ?? []).flatMap(({ conditions = [] }) => conditions);
  const reasons = [
    ...(spec.approved ? [] : ['it waits for approval']),
    ...[...(status?.conditions ?? []).filter((one) => one.status === 'False'), ...lookups].flatMap(
      ({ message }) => message ?? [],
    ),
  ];
  const of = spec.clusterServiceVersionNames.join(', ');
  return [{ what: named(plan), state: phase, isFine: false, of, reasons }];
}

function describeCsv(csv: Live<typeof ClusterServiceVersion>): OlmComponentStatus {
  const { phase = 'not looked at' } = csv.status ?? {};
  const isFine = phase === 'Succeeded';
  const of = csv.spec?.version ?? '';
  return { what: named(csv), state: phase, isFine, of, reasons: isFine ? [] : csvReasons(csv) };
}

function describeConditions(
  object: Live<typeof ClusterCatalog> | Live<typeof ClusterExtension>,
  type: string,
): OlmComponentStatus {
  const conditions = object.status?.conditions ?? [];
  const main = conditions.find((one) => one.type === type);
  const isFine = main?.status === 'True';
  const stuck = conditions.filter((one) => one.type !== type && one.reason === 'Retrying');
  const unhealthy = [...(isFine || !main ? [] : [main]), ...stuck];
  return {
    what: named(object),
    state: isFine ? type : (main?.reason ?? 'not looked at'),
    isFine: isFine && stuck.length === 0,
    reasons: unhealthy.map((one) => `${one.type}: ${one.message}`),
  };
}
