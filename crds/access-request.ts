import { uncheckedDefinition } from '@tenantry/crd/definition';
import {
  boolean,
  conditions,
  dateTime,
  integer,
  object,
  rbacName,
  required,
  string,
  type Static,
} from '@tenantry/crd/schema/language';
import { MOST_HOURS, VISIBLE } from './access.ts';

const spec = object(
  'What is requested. Only `withdrawn` can change.',
  {
    user: required(
      string(
        "The name of the requester, as the API server's authentication gives it (`kubectl auth whoami`). An admission policy refuses any other name.",
        { minLength: 1, maxLength: 256, example: 'alice@example.com' },
      ),
    ),
    group: string(
      'The group of the requester that `access.breakGlass` lists. An admission policy refuses a group in which the requester is not.',
      { minLength: 1, maxLength: 256, absent: 'the list has the user', example: 'example:oncall' },
    ),
    clusterRole: required(
      rbacName('The ClusterRole, one of those in `access.breakGlass` of the tenant.'),
    ),
    hours: integer('How many hours the access lasts, from the creation of the request.', {
      minimum: 1,
      maximum: MOST_HOURS,
      default: 1,
    }),
    reason: required(
      string('Why, for those who read it later.', {
        pattern: `^${VISIBLE.replace(']', ' ]+')}$`,
        minLength: 1,
        maxLength: 512,
        must: 'one line of visible characters, at most 512',
        example: 'INC-4711: payments are down',
      }),
    ),
    withdrawn: boolean('Set it to end the access early. It cannot be unset.', { default: false }),
  },
  {
    rules: [
      {
        rule: 'self.user == oldSelf.user && has(self.group) == has(oldSelf.group) && (!has(self.group) || self.group == oldSelf.group) && self.clusterRole == oldSelf.clusterRole && self.hours == oldSelf.hours && self.reason == oldSelf.reason && (self.withdrawn || !oldSelf.withdrawn)',
        message: 'must not change, except that withdrawn may become true',
      },
    ],
  },
);

/** The status that the operator writes to an AccessRequest. */
export const accessRequestStatus = object('What the operator decided.', {
  conditions: conditions('Granted; docs/break-glass.md has the reasons.'),
  expires: dateTime('When the access ends.'),
  roleBinding: string('The RoleBinding that gives the access.', { maxLength: 253 }),
});

/** The request of a person for a ClusterRole in a namespace, for some hours. */
export const accessRequest = uncheckedDefinition({
  group: 'tenantry.dev',
  kind: 'AccessRequest',
  plural: 'accessrequests',
  shortNames: ['ar'],
  categories: ['tenantry'],
  scope: 'Namespaced',
  versions: {
    v1alpha1: {
      schema: object('A request for a ClusterRole in this namespace, for some hours.', {
        spec: required(spec),
        status: accessRequestStatus,
      }),
      additionalPrinterColumns: [
        { name: 'User', type: 'string', jsonPath: '.spec.user' },
        { name: 'ClusterRole', type: 'string', jsonPath: '.spec.clusterRole' },
        {
          name: 'Granted',
          type: 'string',
          jsonPath: ".status.conditions[?(@.type=='Granted')].status",
        },
        {
          name: 'Why',
          type: 'string',
          jsonPath: ".status.conditions[?(@.type=='Granted')].reason",
        },
        { name: 'Expires', type: 'string', jsonPath: '.status.expires' },
        { name: 'Reason', type: 'string', priority: 1, jsonPath: '.spec.reason' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  },
});

/** The spec of an AccessRequest as stored. */
export type AccessRequestSpec = Static<typeof spec>;
/** The status of an AccessRequest. */
export type AccessRequestStatus = Static<typeof accessRequestStatus>;
