import { list, set } from './schema-builders.ts';
import {
  integer,
  object,
  required,
  string,
  dnsLabel,
  objectName,
  rbacName,
} from '@tenantry/crd/schema/language';
import { named } from './named.ts';
import { endDate, optionalEndDate } from './end-date.ts';
import { filledRbacName } from './placeholders.ts';

/** Characters that a reader of the file sees: no line breaks, no control characters, no zero-width characters. */
export const VISIBLE = '[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]';

const person = (what: string, example: string) =>
  string(`The name of a ${what}, as the API server's authentication gives it.`, {
    pattern: `^${VISIBLE}(${VISIBLE.replace(']', ' ]*')}${VISIBLE})?$`,
    minLength: 1,
    maxLength: 256,
    must: `the name of a ${what}: 1 to 256 visible characters, with spaces only between them`,
    example,
  });

const subjects = {
  users: set('Users.', person('user', 'alice@example.com')),
  groups: set('Groups.', person('group', 'github:payments')),
  serviceAccounts: list(
    'Service accounts, always with their namespace.',
    named(
      'ServiceAccountReference',
      object('A service account.', {
        name: required(objectName('Its name.')),
        namespace: required(dnsLabel('Its namespace.')),
      }),
    ),
  ),
};

export const bindingName = filledRbacName(
  'The name of the RoleBinding; {tenant}, {namespace} and {environment} in it stand for the names of these.',
  'derived from the role: `tenant-clusterrole-<name>` or `tenant-role-<name>`',
);

const temporary = list(
  'Further ones, whose access ends.',
  named(
    'TemporaryHolders',
    object(
      'Users, groups and service accounts whose access ends.',
      { ...subjects, until: required(endDate('of their access')) },
      { atLeastOneOf: ['users', 'groups', 'serviceAccounts'] },
    ),
  ),
  { maxItems: 50 },
);

/** The subjects of one role, or the RoleBinding that names them. */
const holders = (description: string) =>
  named(
    'Holders',
    object(description, { ...subjects, temporary, bindingName }),
    'Users, groups and service accounts that hold a role.',
  );

/** The hours of a grant for which no layer sets a limit. */
export const DEFAULT_MAX_HOURS = 4;
/** The most hours that a layer can set. */
export const MOST_HOURS = 24;

const breakGlass = list(
  'ClusterRoles that somebody can request for some hours (docs/break-glass.md). The operator binds them under drift policy Heal, and not under another one.',
  named(
    'BreakGlass',
    object(
      'A ClusterRole that the class allows, and who may request it.',
      {
        clusterRole: required(rbacName('The ClusterRole.')),
        users: subjects.users,
        groups: subjects.groups,
        maxHours: integer('The most hours of one grant. The lowest value of all layers applies.', {
          minimum: 1,
          maximum: MOST_HOURS,
          absent: `\`${DEFAULT_MAX_HOURS}\``,
        }),
        until: optionalEndDate('of this entry'),
      },
      { atLeastOneOf: ['users', 'groups'] },
    ),
  ),
  { maxItems: 50 },
);

const word = (pattern: string, must: string) =>
  string('One of them.', { pattern, maxLength: 253, must });

/** `rbacv1.PolicyRule` without wildcards: the API group is always explicit. */
export const policyRule = named(
  'PolicyRule',
  object('What may be done to what.', {
    apiGroups: required(
      set(
        "The API groups; '' is the core group.",
        named(
          'ApiGroup',
          word(
            '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$',
            "an API group, '' for the core group (a wildcard is refused)",
          ),
        ),
        { minItems: 1 },
      ),
    ),
    resources: required(
      set(
        'The resources, in the plural, with a subresource as `pods/log`.',
        named(
          'ResourceName',
          word(
            '^[a-z0-9]([-a-z0-9./]*[a-z0-9])?$',
            'a resource in lower-case plural (a wildcard is refused)',
          ),
        ),
        { minItems: 1 },
      ),
    ),
    verbs: required(
      set(
        'The verbs.',
        named('Verb', word('^[a-z]+$', 'a verb in lower case (a wildcard is refused)')),
        { minItems: 1 },
      ),
    ),
    resourceNames: set('Only these objects.', string('A name.', { minLength: 1, maxLength: 253 })),
  }),
);

export const access = named(
  'Access',
  object('Who may do what in the namespaces. Layers add up.', {
    admins: holders("Holders of the class' admin role (`admin`)."),
    editors: holders("Holders of the class' editor role (`edit`)."),
    viewers: holders("Holders of the class' viewer role (`view`)."),
    clusterRoles: list(
      'Further ClusterRoles that the class allows, bound inside the namespaces.',
      named(
        'ClusterRoleHolders',
        object('A ClusterRole and its holders.', {
          name: required(rbacName('The ClusterRole.')),
          ...subjects,
          until: optionalEndDate('of this entry'),
          bindingName,
        }),
      ),
    ),
    roles: list(
      'Roles inside the namespaces, with rules of their own or of a class preset.',
      named(
        'RoleHolders',
        object(
          'A Role and its holders; without holders it is only declared.',
          {
            name: rbacName('The name of the Role.', "the preset's name"),
            preset: rbacName('A role preset of the class.'),
            rules: list(
              'The rules, when no preset gives them; within `ceilings.roles` of the class.',
              policyRule,
            ),
            ...subjects,
            until: optionalEndDate('of this entry'),
            bindingName,
          },
          {
            rules: [
              {
                rule: 'has(self.preset) != has(self.rules)',
                message: 'must have either a preset or rules',
              },
              {
                rule: 'has(self.preset) || has(self.name)',
                message: 'must have a name, since it has no preset to be named after',
              },
            ],
          },
        ),
      ),
    ),
    breakGlass,
  }),
);

/** The levels that have a field in `access`, the most powerful first. */
export const accessLevels = ['admins', 'editors', 'viewers'] as const;
export type AccessLevel = (typeof accessLevels)[number];

export type { Access, Holders, PolicyRule } from './types.ts';
