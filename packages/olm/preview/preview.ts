import { parseJson } from '@tenantry/kube/json';
import { entryOf, isMapping } from '@tenantry/kube/mapping';
import type { Bundle } from '../bundle/bundle.ts';
import type { CustomResourceDescription } from '../bundle/cluster-service-version.ts';
import type { Decoded } from '../bundle/decoded.ts';
import { collectGrants, type Grant } from '../permissions/granted-rights.ts';
import { scopes, type RightsScope } from '@tenantry/kube/rights/groups';
import { groupRights, formatRightsGroup } from '@tenantry/kube/rights/groups';
import { explainEscalation } from '@tenantry/kube/rights/escalation';
import { Rights } from '@tenantry/kube/rights/rights';

/** The presentation of an operator, as data. Texts are as their authors wrote them, not yet escaped for a terminal. */
export interface Preview {
  /** The name of the ClusterServiceVersion. */
  readonly name: string;
  readonly displayName: string;
  readonly version: string;
  readonly provider: string;
  readonly packageName: string;
  readonly channels: readonly string[];
  readonly defaultChannel: string;
  /** The capability level; empty if it is not declared. */
  readonly capability: string;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  /** A one-sentence summary, beside the name. */
  readonly summary: string;
  /** The description in Markdown. */
  readonly description: string;
  readonly links: readonly NamedAddress[];
  readonly maintainers: readonly NamedAddress[];
  readonly repository: string;
  readonly image: string;
  readonly createdAt: string;
  readonly minKubeVersion: string;
  readonly hasIcon: boolean;
  readonly installModes: readonly string[];
  readonly owned: readonly PreviewKind[];
  /** The kinds that the operator requires from others. */
  readonly required: readonly string[];
  readonly webhooks: readonly string[];
  readonly rights: readonly PreviewRights[];
}

/** A link, or a contact. */
export interface NamedAddress {
  readonly name: string;
  readonly address: string;
}

/** A kind that an operator provides. */
export interface PreviewKind {
  readonly kind: string;
  readonly displayName: string;
  readonly version: string;
  /** The name of the definition: `redises.example.com`. */
  readonly definition: string;
  readonly description: string;
  /** The first example of the kind in this version. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** The rights of a subject, in words. */
export interface PreviewRights {
  /** The subject: `ServiceAccount redis-operator`. */
  readonly subject: string;
  readonly scope: RightsScope;
  readonly may: string;
  /** How the subject can obtain other rights with it. */
  readonly power?: string;
}

const PREFIX = 'operators.operatorframework.io.bundle.';

/** Builds the presentation of a bundle for people who consider an installation. */
export function buildPreview(bundle: Bundle): Preview {
  const { metadata = {}, spec = {} } = bundle.csv?.value ?? {};
  const annotation = (name: string): string => entryOf(metadata.annotations, name) ?? '';
  const readBundleAnnotation = (name: string): string =>
    entryOf(bundle.annotations.values, `${PREFIX}${name}`) ?? '';
  const { links = [], maintainers = [], icon = [], installModes = [] } = spec;
  const supported = installModes.filter((one) => one.supported === true);
  const examples = readExamples(annotation('alm-examples'));
  return {
    name: metadata.name ?? '',
    displayName: spec.displayName ?? '',
    version: spec.version ?? '',
    provider: spec.provider?.name ?? '',
    packageName: readBundleAnnotation('package.v1'),
    channels: splitList(readBundleAnnotation('channels.v1')),
    defaultChannel: readBundleAnnotation('channel.default.v1'),
    capability: annotation('capabilities'),
    categories: splitList(annotation('categories')),
    keywords: spec.keywords ?? [],
    summary: annotation('description'),
    description: spec.description ?? '',
    links: links.map(({ name = '', url = '' }) => ({ name, address: url })),
    maintainers: maintainers.map(({ name = '', email = '' }) => ({ name, address: email })),
    repository: annotation('repository'),
    image: annotation('containerImage'),
    createdAt: annotation('createdAt'),
    minKubeVersion: spec.minKubeVersion ?? '',
    hasIcon: icon.length > 0,
    installModes: supported.map(({ type = '' }) => type),
    owned: (spec.customresourcedefinitions?.owned ?? []).map((one) => buildKind(one, examples)),
    required: (spec.customresourcedefinitions?.required ?? []).map((one) => {
      return `${one.kind ?? ''} ${one.version ?? ''} (${one.name ?? ''})`;
    }),
    webhooks: (spec.webhookdefinitions ?? []).map(({ type = '', generateName = '' }) => {
      return `${generateName} (${type})`;
    }),
    rights: collectGrants(bundle).flatMap(buildRights),
  };
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
}

type Example = Readonly<Record<string, unknown>>;

/** Indexes the examples by apiVersion and kind. */
function readExamples(text: string): ReadonlyMap<string, readonly Example[]> {
  try {
    const value: unknown = parseJson(text);
    const all: readonly Example[] = Array.isArray(value) ? value.filter(isMapping) : [];
    return Map.groupBy(all, ({ apiVersion, kind }) => `${String(apiVersion)} ${String(kind)}`);
  } catch {
    return new Map();
  }
}

function buildKind(
  one: Decoded<CustomResourceDescription>,
  examples: ReadonlyMap<string, readonly Example[]>,
): PreviewKind {
  const { kind = '', version = '', name: definition = '', displayName, description = '' } = one;
  const apiVersion = `${definition.slice(definition.indexOf('.') + 1)}/${version}`;
  const [example] = examples.get(`${apiVersion} ${kind}`) ?? [];
  const shown = displayName === undefined || displayName === '' ? kind : displayName;
  return {
    kind,
    displayName: shown,
    version,
    definition,
    description,
    ...(example && { example }),
  };
}

/** Describes rights in words, those that give other rights first. */
function buildRights({ subject, rules, roles, isTooMany }: Grant): PreviewRights[] {
  return scopes.flatMap((scope) => {
    const held = new Rights(rules[scope]);
    const bound = roles.filter((one) => one.scope === scope);
    const whole = [
      ...(held.isTooMany || isTooMany
        ? [{ subject, scope, may: 'do more than can be listed here' }]
        : []),
      ...bound.map(({ role }) => ({ subject, scope, may: `do what the cluster allows ${role}` })),
    ];
    const objects = held.objects().map((right) => ({ ...right, scope }));
    const grouped = [...Map.groupBy(objects, explainEscalation)].flatMap(([power, rights]) => {
      return groupRights(rights).map((group): PreviewRights => {
        return {
          subject,
          scope,
          may: formatRightsGroup(group),
          ...(power !== undefined && { power }),
        };
      });
    });
    const paths = held.paths().map(({ verb, path }) => {
      return {
        subject,
        scope,
        may: `${verb === '*' ? 'do anything with' : verb} the path ${path}`,
      };
    });
    const isPlain = ({ power }: PreviewRights): number => (power === undefined ? 1 : 0);
    return [...whole, ...grouped.toSorted((a, b) => isPlain(a) - isPlain(b)), ...paths];
  });
}
