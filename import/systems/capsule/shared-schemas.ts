import {
  boolean,
  enumOf,
  integer,
  object,
  required,
  type Fields,
  type Static,
} from '@tenantry/crd/schema';
import { map } from '../../../crds/schema-builders.ts';
import { anyObject, list, quantity, selector, text, texts } from '../system-schemas.ts';

/** Labels and annotations. */
export const metadata = object('Metadata.', {
  labels: texts('Labels.'),
  annotations: texts('Annotations.'),
});

/** Who owns tenants. */
export const user = {
  kind: required(enumOf('Its kind.', ['User', 'Group', 'ServiceAccount'])),
  name: required(
    text('Its name; of a ServiceAccount, `system:serviceaccount:<namespace>:<name>`.'),
  ),
};

/** ClusterRoles by name. */
export const roleNames = list('ClusterRoles.', text('A ClusterRole.'));

/** Bindings of a ClusterRole in namespaces. */
export const binding = object('A binding.', {
  clusterRoleName: required(text('A ClusterRole.')),
  subjects: required(
    list(
      'Subjects.',
      object('A subject.', {
        kind: required(text('Its kind.')),
        name: required(text('Its name.')),
        namespace: text('The namespace of a ServiceAccount.'),
        apiGroup: text('Its API group.'),
      }),
    ),
  ),
  labels: texts('Labels of the RoleBindings.'),
  annotations: texts('Annotations of the RoleBindings.'),
});

export type Binding = Static<typeof binding>;

const quotaFields = {
  hard: map('Its bounds.', quantity, { maxProperties: 1000 }),
  scopes: list('Which pods count.', text('A scope.')),
  scopeSelector: object('Which pods count.', {
    matchExpressions: list(
      'Requirements.',
      object('A requirement.', {
        scopeName: required(text('The scope.')),
        operator: required(text('How it compares.')),
        values: list('Values.', text('A value.')),
      }),
    ),
  }),
};

/** `spec` of a ResourceQuota, with every field. */
export const quota = object('The spec of a ResourceQuota.', quotaFields);

export type Quota = Static<typeof quota>;

/** What is allowed, by names or a pattern. */
export const allowedNames = {
  allowed: list('Names.', text('A name.')),
  allowedRegex: text('A pattern.'),
};

/** What is allowed, by names, a pattern or labels. */
export const allowedClasses = object('Classes.', {
  ...allowedNames,
  ...(selector.properties as unknown as Pick<Fields, string>),
  default: text('The class of objects that name none.'),
});

/** What is refused, by names or a pattern. */
export const denied = object('What is refused.', {
  denied: list('Names.', text('A name.')),
  deniedRegex: text('A pattern.'),
});

/** Operations of the proxy of Capsule. */
export const proxySettings = list(
  'What the proxy serves.',
  object('Objects of a kind.', {
    kind: required(text('A kind.')),
    operations: list('Operations.', text('An operation.')),
  }),
);

const matcher = {
  exact: list('Values.', text('A value.')),
  exp: text('A pattern.'),
  negate: boolean('Whether it matches all others.'),
};

const matchers = list('What matches.', object('Values or a pattern.', matcher));

const keyRules = map(
  'Rules by key.',
  object('A rule.', {
    required: boolean('Whether it must be there.'),
    default: text('Its value if it is absent.'),
    managed: text('Its only value.'),
    values: matchers,
  }),
  { maxProperties: 1000 },
);

const resourceRules = map(
  'Rules by resource.',
  object('A rule.', { policy: text('What is done.'), value: quantity }),
  { maxProperties: 1000 },
);

const enforce = object('What objects may contain.', {
  action: text('Whether a match is allowed.'),
  ingress: object('Of routes.', { types: list('Kinds.', text('A kind.')), hostnames: matchers }),
  metadata: list(
    'Of labels and annotations.',
    object('A rule.', {
      kinds: list('Kinds.', text('A kind.')),
      apiGroups: list('API groups.', text('A group.')),
      labels: keyRules,
      annotations: keyRules,
    }),
  ),
  services: object('Of Services.', {
    types: list('Types.', text('A type.')),
    externalNames: object('Names.', { hostnames: matchers }),
    loadBalancers: object('Addresses.', { cidrs: list('Ranges.', text('A range.')) }),
    nodePorts: object('Ports.', {
      ports: list('Ranges.', object('A range.', { from: integer('First.'), to: integer('Last.') })),
    }),
  }),
  workloads: object('Of pods.', {
    targets: list('Parts of pods.', text('A part.')),
    qosClasses: list('Classes.', text('A class.')),
    schedulers: matchers,
    registries: list(
      'Registries.',
      object('Images.', { ...matcher, policy: list('Pull policies.', text('A policy.')) }),
    ),
    resources: object('Amounts.', { requests: resourceRules, limits: resourceRules }),
  }),
});

/** What applies to namespaces that a rule selects. */
export const ruleBody = {
  audience: list(
    'Whose requests.',
    object('Users.', { kind: text('Their kind.'), name: text('Their name.') }),
  ),
  enforce,
  quota: list(
    'Shared quotas.',
    object('A quota.', { ...quotaFields, name: required(text('Its name.')) }),
  ),
};

/** Resources by a reference. */
export const reference = {
  apiVersion: required(text('Their version.')),
  kind: required(text('Their kind.')),
  name: text('The name of one.'),
  namespace: text('Their namespace.'),
  optional: boolean('Whether it may be absent.'),
  selector,
};

/** `spec` of an object that Kubernetes defines; its schema validates the objects that are made of it. */
export const verbatim = anyObject;
