import { set } from './schema-builders.ts';
import { enumOf, integer, object, string } from '@tenantry/crd/schema/language';
import { named } from './named.ts';
import { cidr } from './network.ts';
import { serviceBounds } from './service-bounds.ts';

/** The default of a class for the maximum lifetime of a token that a person requests: a day. */
export const TOKEN_SECONDS = 86_400;

/** The default of a class for the maximum grace period of a pod: an hour. */
export const TERMINATION_SECONDS = 3600;

const policy = enumOf(
  'Whether the admission policy holds in the namespaces of the class.',
  ['Enforced', 'Disabled'],
  { absent: '`Enforced`' },
);

/** A pattern with one `*` at any position; the text before and after it must match. */
const pattern = (what: string, example: string) =>
  string(`The name of a ${what}; one '*' in it stands for any text. Never 'system:...'.`, {
    pattern: '^[^*\\x00-\\x20\\x7f]*\\*?[^*\\x00-\\x20\\x7f]*$',
    minLength: 1,
    maxLength: 256,
    must: `the name of a ${what} without spaces, in which one '*' may stand for any text`,
    example,
  });

const opened = (description: string, absent: string) =>
  named(
    'SelfServiceReach',
    object(
      description,
      {
        namespaces: set(
          "Namespaces by name, besides the tenant's own.",
          string("A name; a '*' at the end stands for any rest, '*' alone for every namespace.", {
            pattern: '^[a-z0-9][-a-z0-9]*\\*?$|^\\*$',
            maxLength: 63,
            must: "the name of a namespace, with a '*' at the end for any rest",
          }),
        ),
        cidrs: set('Blocks of addresses; one inside them is meant too.', cidr),
        anywhere: enumOf('Everything there is.', ['Allow', 'Deny'], { absent: '`Deny`' }),
      },
      { absent },
    ),
    'Whom or what people may open their namespaces to.',
  );

/**
 * What a tenant's users may do in its namespaces, within the rights of Kubernetes' roles. These are
 * the parameters of the admission policies of model/policies.
 */
export const selfService = named(
  'SelfService',
  object(
    "What a tenant's people may do in its namespaces themselves, with kubectl: held by admission policies.",
    {
      names: named(
        'SelfServicePolicy',
        object('Objects of a name that the platform uses.', { policy }),
        'Whether an admission policy holds.',
      ),
      roleBindings: named(
        'SelfServiceRoleBindings',
        object('RoleBindings: to roles and people that are declared.', {
          policy,
          users: set(
            'Users that they may bind besides those who are declared.',
            pattern('user', '*@example.com'),
          ),
          groups: set(
            'Groups that they may bind besides those that are declared.',
            pattern('group', 'github:payments-*'),
          ),
        }),
      ),
      networkPolicies: named(
        'SelfServiceNetworkPolicies',
        object('NetworkPolicies.', {
          policy,
          ingressFrom: opened(
            'Whom they may let in.',
            "the tenant's own namespaces; everybody where no policy of the platform isolates the namespace",
          ),
          egressTo: opened(
            'Where they may let out.',
            "the tenant's own namespaces; everywhere where no policy of the platform bounds the egress",
          ),
        }),
      ),
      services: named(
        'SelfServiceServices',
        object('Services.', {
          policy,
          externalIPs: set('Blocks of addresses of which externalIPs may be.', cidr, {
            absent: 'none',
          }),
          ...serviceBounds,
        }),
      ),
      tokenSecrets: named(
        'SelfServicePolicy',
        object('Secrets that Kubernetes fills with a token that never expires.', {
          policy,
        }),
        'Whether an admission policy holds.',
      ),
      tokens: named(
        'SelfServiceTokens',
        object('Tokens of service accounts.', {
          policy,
          maxSeconds: integer('The longest life that they may ask for.', {
            minimum: 600,
            maximum: 315_360_000,
            absent: '`86400`, a day',
          }),
        }),
      ),
      pods: named(
        'SelfServicePolicy',
        object(
          'Pods: without `nodeName`, with tolerations that `allow.tolerations` opens, and a grace period within `ceilings.terminationSeconds`.',
          { policy },
        ),
        'Whether an admission policy holds.',
      ),
      disruptionBudgets: named(
        'SelfServicePolicy',
        object(
          'PodDisruptionBudgets: let a pod be evicted, and select no pods that the platform declares.',
          {
            policy,
          },
        ),
        'Whether an admission policy holds.',
      ),
      templates: named(
        'SelfServicePolicy',
        object(
          'Labels and annotations of Tenantry in templates, which controllers would copy onto what they make.',
          {
            policy,
          },
        ),
        'Whether an admission policy holds.',
      ),
    },
  ),
);

export type { SelfService } from './types.ts';
