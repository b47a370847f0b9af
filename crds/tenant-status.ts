import { list } from './schema-builders.ts';
import { hookReceipt, MAX_RECEIPTS } from './hooks.ts';
import {
  boolean,
  conditions,
  dateTime,
  enumOf,
  integer,
  object,
  required,
  string,
  type Static,
} from '@tenantry/crd/schema/language';

/**
 * The maximum number of drifted fields, of undeclared objects and keys, and of nearly exhausted
 * quotas in a status.
 */
export const MAX_LISTED = 20;

/** The maximum length of a value in a status, in characters; longer values are cut. */
export const MAX_VALUE_LENGTH = 256;

/** The maximum length of a field's path in a status, in characters. */
export const MAX_FIELD_LENGTH = 512;

/** The maximum number of subjects of an undeclared role binding in a status. */
export const MAX_SUBJECTS = 10;

/** The maximum length of each subject, and of the effect of an undeclared object, in characters. */
export const MAX_EFFECT_LENGTH = 320;

/** The maximum length of an object's name in a status, in characters. */
export const MAX_NAME_LENGTH = 253;

const count = (description: string) => required(integer(description, { minimum: 0 }));

/** The place of an object, and its last field manager. */
const place = {
  kind: required(string('The kind of the object.', { maxLength: 63 })),
  group: string('The API group of the kind.', { maxLength: 253, absent: 'the core group' }),
  namespace: string('Its namespace.', { maxLength: 63, absent: 'it is a Namespace itself' }),
  name: required(string('Its name.', { maxLength: MAX_NAME_LENGTH })),
  manager: string('Who wrote it last, as field managers are called: `kubectl-edit`.', {
    maxLength: 128,
    absent: 'the API server does not know',
  }),
  operation: enumOf('How: by server-side apply, or otherwise.', ['Apply', 'Update']),
  changed: dateTime('When that manager last changed something of the object.'),
  since: required(dateTime('Since when the operator has seen it.')),
};

const drift = object('What differs from what is declared.', {
  type: required(
    enumOf(
      'Missing: it is declared and not there. Changed: it is there and says something else. Extra: it is there and not declared.',
      ['Missing', 'Changed', 'Extra'],
    ),
  ),
  ...place,
  field: string(
    'Which field of it: `spec.hard.pods`, `spec.ingress[0].ports[name=http].protocol`.',
    {
      maxLength: MAX_FIELD_LENGTH,
      absent: 'the whole object',
    },
  ),
  desired: string('What is declared, as JSON.', { maxLength: MAX_VALUE_LENGTH, absent: 'nothing' }),
  live: string('What is there, as JSON.', { maxLength: MAX_VALUE_LENGTH, absent: 'nothing' }),
});

const undeclared = object('What nobody declared: an object, or a part of the metadata of one.', {
  ...place,
  givesAccess: boolean(
    'Whether it gives access that the users of the tenant may not give: the tenant is not ready with it.',
    { absent: '`false`' },
  ),
  role: string('Of a role binding, which role it gives: `ClusterRole cluster-admin`.', {
    maxLength: MAX_EFFECT_LENGTH,
    absent: 'it is no role binding, or not among the first',
  }),
  subjects: list(
    'Of a role binding, to whom: `User eve`, `ServiceAccount pay/ci`.',
    string('One of them.', { maxLength: MAX_EFFECT_LENGTH }),
    { maxItems: MAX_SUBJECTS },
  ),
  moreSubjects: integer('How many more subjects it has.', { minimum: 0, absent: 'none' }),
  effect: string(
    'What it opens, allows or limits: `ingress from everywhere; for all pods`, `hard: {"pods":"0"}`.',
    { maxLength: MAX_EFFECT_LENGTH, absent: 'the field says it, or it is not known' },
  ),
  field: string('Which key or owner it is: `metadata.labels["istio.io/rev"]`.', {
    maxLength: MAX_FIELD_LENGTH,
    absent: 'the whole object',
  }),
  live: string('What the key says, as JSON.', {
    maxLength: MAX_VALUE_LENGTH,
    absent: 'it is an object, or not among the first',
  }),
});

const pressure = object('A resource of which little is left.', {
  namespace: required(string('The namespace.', { maxLength: 63 })),
  quota: required(string('The ResourceQuota.', { maxLength: 253 })),
  resource: required(string('The resource: `pods`, `requests.cpu`.', { maxLength: 317 })),
  hard: required(string('How much there is.', { maxLength: 64 })),
});

const counts = object('How much there is of it.', {
  namespaces: count('Namespaces that the cluster should have.'),
  objects: count('Objects that the cluster should have.'),
  driftedObjects: count('Objects that are missing, changed, or there though not declared.'),
  driftedFields: count('Fields of them that differ; an object that is missing counts as one.'),
  undeclared: count(
    'Role bindings, network policies, broad roles, quotas and limit ranges that nobody declared; deciding keys of Namespaces and service accounts, and owners of declared objects.',
  ),
  undeclaredAccess: integer(
    'How many of the undeclared give access that the users of the tenant may not give.',
    { minimum: 0, absent: 'none' },
  ),
});

/** The status that the operator writes to a Tenant. */
export const tenantStatus = object('What the operator sees.', {
  observedGeneration: integer('The generation of the Tenant that all of this is about.', {
    format: 'int64',
    minimum: 0,
  }),
  conditions: conditions(
    'Ready, Drifted, Progressing, Degraded and Undeclared; docs/operator.md has the reasons.',
  ),
  driftPolicy: enumOf('What the operator does about a difference, the platform considered.', [
    'Observe',
    'Create',
    'Heal',
  ]),
  counts,
  drift: list('The first differences.', drift, { maxItems: MAX_LISTED }),
  moreDrift: integer('How many more fields differ.', { minimum: 0, absent: 'none' }),
  notCompared: list(
    'Declared objects that are not compared, by kind.',
    object('Objects of a kind.', {
      kind: required(string('The kind.', { maxLength: 63 })),
      group: string('Its API group.', { maxLength: 253, absent: 'the core group' }),
      objects: count('How many.'),
      reason: required(
        enumOf(
          'NotNamed: `operator.comparedKinds` of the platform does not name the kind. NotRead: the kind is not on the cluster, or the operator may not read it.',
          ['NotNamed', 'NotRead'],
        ),
      ),
    }),
    { maxItems: MAX_LISTED },
  ),
  undeclared: list(
    'The first of what nobody declared in its namespaces, what gives access first: by what access, isolation and limits erode, keys by which programs decide how to treat a Namespace or a service account, and owners with which declared objects are deleted.',
    undeclared,
    { maxItems: MAX_LISTED },
  ),
  quotaPressure: list(
    'The first resources of which nine tenths or more are used. How much it is at the moment, metrics say.',
    pressure,
    { maxItems: MAX_LISTED },
  ),
  leftAlone: list(
    'Objects that somebody changes back again and again, and that the operator leaves alone for a while: a restart does not forget it.',
    object('An object.', {
      object: required(
        string('Its group, kind, namespace and name: `/ResourceQuota pay-prod/quota`.', {
          maxLength: 640,
        }),
      ),
      declared: required(string('Another text for another declaration of it.', { maxLength: 64 })),
      healed: required(integer('How often it was healed.', { minimum: 0 })),
      until: required(dateTime('When it is healed again.')),
    }),
    { maxItems: MAX_LISTED, absent: 'none' },
  ),
  hooks: list('What hooks were told, see `operator.hooks` of the Platform.', hookReceipt, {
    maxItems: MAX_RECEIPTS,
  }),
  declaredDigest: string(
    'Another text for each other declaration: what was declared here when it was compared last.',
    { maxLength: 64, absent: 'it is not compared' },
  ),
  lastChange: dateTime('When the counts or the conditions last changed.'),
});

/** The status that the operator writes to a Tenant, as a type. */
export type TenantStatus = Static<typeof tenantStatus>;
/** A drifted field. */
export type DriftEntry = NonNullable<TenantStatus['drift']>[number];
/** An undeclared object, key or owner. */
export type UndeclaredEntry = NonNullable<TenantStatus['undeclared']>[number];
/** A nearly exhausted resource. */
export type PressureEntry = NonNullable<TenantStatus['quotaPressure']>[number];
/** The delivery of one event to one hook. */
export type HookReceipt = NonNullable<TenantStatus['hooks']>[number];
