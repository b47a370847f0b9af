import type { Finding } from '@tenantry/kube/finding';
import { renderTenantObjects } from '../../model/objects/tenant-objects.ts';
import { toTenantClassObject, toTenantObject } from '../../model/declared-objects.ts';
import { desired } from '../../model/desired.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { resolveTenant } from '../../model/layers/resolve.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { tenant as kind } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { validate } from '@tenantry/crd/schema/validate';
import type { Given } from '../constructs/given.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';

const platform = resolvePlatform({
  metadataKeys: { team: 'example.com/team', owner: 'example.com/owner' },
});

/** Our verdict on a declaration, and its rendering whatever the verdict is. */
export interface OurVerdict {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly objects: readonly Body[];
}

/** Returns undefined if the declaration does not fit the schema, which schema.property.test.ts covers. */
export function ourVerdict(
  name: string,
  { tenant = {}, klass = {}, labels, annotations }: Given,
): OurVerdict | undefined {
  const own = { ...(labels && { labels }), ...(annotations && { annotations }) };
  const declaration = { name, ...own, spec: tenant };
  const object = toTenantObject(declaration);
  if (validate(kind.file, object).length > 0) return undefined;
  const keys = keysIn(tenant)
    .map((key) => ({ key }))
    .filter(isOpenKey);
  const allow = { ...klass.allow, labels: keys, annotations: keys };
  const standard = { name: 'standard', spec: { ...klass, allow } };
  const { findings } = desired(declaration, standard, platform);
  const resolved = resolveTenant(declaration, standard, platform);
  const objects = renderTenantObjects(resolved)
    .flat()
    .map((object) => within(name, object));
  return {
    errors: findings.filter(({ severity }) => severity === 'error'),
    warnings: findings.filter(({ severity }) => severity === 'warning'),
    objects: [object, ...objects].map((one) => one as unknown as Body),
  };
}

/** Returns whether a class can open the key at all. */
function isOpenKey(entry: { readonly key: string }): boolean {
  const klass = toTenantClassObject({ name: 'any', spec: { allow: { labels: [entry] } } });
  return validate(tenantClass.file, klass).length === 0;
}

/** Returns every key in a value, of whatever object. Whether tenants may set the key is checked elsewhere. */
function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

/** Moves an object into the one namespace that exists for the test. */
function within(namespace: string, object: KubeObject): KubeObject {
  const { metadata } = object;
  if (object.kind === 'Namespace') return { ...object, metadata: { ...metadata, name: namespace } };
  return { ...object, metadata: { ...metadata, namespace } };
}

const asVerdict = {
  fieldManager: 'verdicts',
  force: true,
  dryRun: true,
  fieldValidation: 'Strict',
} as const;

/** The API server's verdicts on objects, with one request per object. */
export class ServerVerdicts {
  readonly #client: Client;
  readonly #verdicts = new Map<string, Promise<ServerVerdict>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** The number of objects that the API server was asked about. */
  get asked(): number {
    return this.#verdicts.size;
  }

  of(object: Body): Promise<ServerVerdict> {
    const key = JSON.stringify(object);
    const verdict = this.#verdicts.get(key) ?? this.#ask(object);
    this.#verdicts.set(key, verdict);
    return verdict;
  }

  async #ask(object: Body): Promise<ServerVerdict> {
    const { status, body, warnings } = await this.#client.apply(object, asVerdict);
    const { kind, name } = toReference(object);
    if (status < 300) return { refusals: [], warnings };
    if (status === 400 || status === 422) {
      return { refusals: [`${kind} ${name}: ${body.message}`], warnings };
    }
    throw new Error(
      `the API server must accept or refuse ${kind} ${name}, got ${status} ${body.message}`,
    );
  }
}

export interface ServerVerdict {
  readonly refusals: readonly string[];
  readonly warnings: readonly string[];
}

/** A rule by which we refuse what the API server accepts. */
export interface Stricter {
  readonly rule: string;
  readonly reason: string;
  /** Matches the message of the finding. @default - any message */
  readonly matches?: (message: string) => boolean;
}

/** The warning of the API server that it prefers another spelling of a block of IPv6 addresses. */
const spellingWarning = /IPv6 CIDR value .* should be in RFC 5952 canonical format/;

/** Returns how the two verdicts on a declaration differ; undefined if they agree. */
export async function disagreement(
  { errors, warnings, objects }: OurVerdict,
  server: ServerVerdicts,
  stricter: readonly Stricter[],
): Promise<string | undefined> {
  const answers = await Promise.all(objects.map((object) => server.of(object)));
  const refusals = answers.flatMap((answer) => answer.refusals);
  const warned = answers.flatMap((answer) =>
    answer.warnings.filter((one) => !spellingWarning.test(one)),
  );
  if (errors.length === 0 && refusals.length > 0) return `it refuses: ${refusals.join('; ')}`;
  if (errors.length === 0 && warned.length > 0 && warnings.length === 0) {
    return `it warns: ${warned.join('; ')}`;
  }
  const ofIts = errors.filter(
    ({ rule, message }) =>
      !stricter.some((one) => one.rule === rule && (one.matches?.(message) ?? true)),
  );
  if (refusals.length > 0 || ofIts.length === 0) return undefined;
  return `the API server accepts what we refuse: ${ofIts.map(({ rule, message }) => `${rule}: ${message}`).join('; ')}`;
}
