import { list, listMap, set } from './schema-builders.ts';
import {
  boolean,
  dnsLabel,
  enumOf,
  object,
  objectName,
  required,
  string,
} from '@tenantry/crd/schema/language';
import { named } from './named.ts';

const HOST = '[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[0-9]{1,5})?';
const USER = '[A-Za-z0-9_][-A-Za-z0-9_]*@';

/**
 * Returns a pattern for an address of these parts: no `..`, no query, and nothing that Argo CD
 * reads as a pattern.
 */
const address = (part: string, rest = ''): string =>
  `^((https|oci)://${HOST}|ssh://(${USER})?${HOST}|${USER}[a-z0-9]([-a-z0-9.]*[a-z0-9])?:${part})(/${part})*${rest}$`;

const PART = '[.]?[A-Za-z0-9_~-][A-Za-z0-9._~-]*';
const FILLED_PART = '([.]?[A-Za-z0-9_~-]|\\{tenant\\})([A-Za-z0-9._~-]|\\{tenant\\})*';

const AN_ADDRESS =
  "the address of a repository such as 'https://git.example.com/team/app.git', without user, query, '..' and '*'";

const repoURL = (description: string) =>
  string(description, {
    pattern: address(PART),
    maxLength: 512,
    must: AN_ADDRESS,
    example: 'https://git.example.com/payments/web.git',
  });

/** The same, with a placeholder for the name of the tenant, which the class fills in. */
const filledRepoURL = string('An address; {tenant} in it stands for the name of the tenant.', {
  pattern: address(FILLED_PART),
  maxLength: 512,
  must: `${AN_ADDRESS}, in which {tenant} may stand`,
  example: 'https://git.example.com/{tenant}/deploy.git',
});

/** Repositories that tenants may name. */
export const repositoryPattern = string(
  "An address; {tenant} in it stands for the name of the tenant, and a '*' after the last '/' for any rest.",
  {
    pattern: address(FILLED_PART, '(/[*])?'),
    maxLength: 512,
    must: `${AN_ADDRESS}, in which {tenant} may stand, and a '*' after the last '/' for any rest`,
    example: 'https://git.example.com/{tenant}/*',
  },
);

/** A namespaced kind without wildcards, so that a reader of the list knows what it allows. */
export const groupKind = named(
  'GroupKind',
  object('A kind that lies in namespaces.', {
    group: required(
      string("Its API group, '' for the core group.", {
        pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$',
        maxLength: 253,
        must: "an API group, '' for the core group (a wildcard is refused)",
        example: 'cert-manager.io',
      }),
    ),
    kind: required(
      string('Its kind.', {
        pattern: '^[A-Z][A-Za-z0-9]*$',
        maxLength: 63,
        must: "a kind such as 'Certificate' (a wildcard is refused)",
        example: 'Certificate',
      }),
    ),
  }),
);

const kinds = list(
  'Kinds that its Applications may hold besides the ordinary ones: workloads, Services, Ingresses, ConfigMaps, Secrets, ServiceAccounts, volume claims, autoscalers and disruption budgets.',
  groupKind,
  { absent: 'the ordinary kinds' },
);

const syncWindow = named(
  'SyncWindow',
  object('When Argo CD may sync, or may not.', {
    kind: required(
      enumOf('Whether syncs are allowed in it, and at no other time, or denied.', [
        'allow',
        'deny',
      ]),
    ),
    schedule: required(
      string('When it begins: minute, hour, day of the month, month, day of the week.', {
        pattern: '^[0-9A-Za-z*,/-]+( [0-9A-Za-z*,/-]+){4}$',
        maxLength: 128,
        must: "five fields of cron such as '0 22 * * *'",
        example: '0 22 * * 5',
      }),
    ),
    duration: required(
      string('How long it is: hours, minutes and seconds.', {
        pattern: '^([0-9]{1,4}h)?([0-9]{1,5}m)?([0-9]{1,6}s)?$',
        minLength: 2,
        maxLength: 20,
        must: "a duration such as '8h' or '1h30m'",
        example: '60h',
      }),
    ),
    timeZone: string('The time zone of the schedule, by its name.', {
      pattern: '^[A-Z][A-Za-z_]*([/+-][A-Za-z0-9_+-]+)*$',
      maxLength: 64,
      must: "a time zone such as 'Europe/Berlin'",
      absent: '`UTC`',
      example: 'Europe/Berlin',
    }),
    manualSync: boolean('Whether a person may sync all the same.', { absent: 'false' }),
    description: string('Why, for whoever asks.', {
      pattern: '^[^ {}\\x00-\\x1f\\x7f][^{}\\x00-\\x1f\\x7f]*$',
      maxLength: 255,
      must: 'a line of text without braces',
      example: 'Month-end closing',
    }),
  }),
);

const syncWindows = list(
  'When the Applications of the namespaces may be synced. Layers add up. Where a class says when syncs are allowed, its tenants may only say when they are denied.',
  syncWindow,
  { maxItems: 16, absent: 'at any time' },
);

const SEGMENT =
  '([A-Za-z0-9_-]|\\{(tenant|namespace|environment|cluster)\\}|[.][A-Za-z0-9_-])([A-Za-z0-9._-]|\\{(tenant|namespace|environment|cluster)\\})*';
const FILLED =
  'in which {tenant}, {namespace}, {environment} and {cluster} stand for the names of these';

const path = (description: string, options: { readonly absent?: string } = {}) =>
  string(`${description}, ${FILLED}.`, {
    pattern: `^([.]|${SEGMENT}(/${SEGMENT})*)$`,
    maxLength: 512,
    must: "a path in the repository such as 'deploy/{environment}', without '..'",
    example: 'deploy/{environment}',
    ...options,
  });

const targetRevision = string(`The branch, tag, commit or version of a chart, ${FILLED}.`, {
  pattern:
    '^([A-Za-z0-9*^~]|\\{(tenant|namespace|environment|cluster)\\})([A-Za-z0-9._/+*-]|\\{(tenant|namespace|environment|cluster)\\})*$',
  maxLength: 253,
  must: "a revision such as 'main', 'v1.2.3' or 'env/{environment}'",
  example: 'main',
  absent: "the repository's default branch (`HEAD`)",
});

const inNamespaces = set(
  "The namespaces of the tenant that it is for, by their whole names: one Application in each, on each of the namespace's clusters.",
  dnsLabel('A namespace.', 'payments-prod'),
  { minItems: 1, absent: 'all of them' },
);

const sync = enumOf(
  'Automated: Argo CD syncs what is in Git, removes what no longer is, and undoes changes by hand. Manual: a person syncs.',
  ['Automated', 'Manual'],
  { absent: '`Automated`' },
);

const application = named(
  'TenantApplication',
  object('What Argo CD deploys into namespaces of the tenant.', {
    name: required(
      dnsLabel('Its name. The Application is called `<namespace>.<cluster>.<name>`.', 'web'),
    ),
    namespaces: inNamespaces,
    source: required(
      named(
        'ApplicationSource',
        object(
          'Where its manifests are.',
          {
            repoURL: required(repoURL('The repository, one of `sourceRepos`.')),
            path: path('The folder'),
            chart: objectName('The chart, in a repository of Helm charts.'),
            targetRevision,
            helm: named(
              'ApplicationHelm',
              object('Of a Helm chart.', {
                valueFiles: list('Files of values in the repository.', path('A file'), {
                  maxItems: 16,
                }),
              }),
            ),
          },
          {
            exactlyOneOf: ['path', 'chart'],
            rules: [
              {
                rule: '!has(self.chart) || has(self.targetRevision)',
                message: 'must have a targetRevision, the version of the chart',
              },
            ],
          },
        ),
      ),
    ),
    sync,
  }),
);

const FOLDER = '([A-Za-z0-9_*-]|[.][A-Za-z0-9_-])[A-Za-z0-9._*-]*';

const applicationSet = named(
  'TenantApplicationSet',
  object('One Application for each folder of a repository.', {
    name: required(
      dnsLabel(
        'Its name. Its Applications are called `<namespace>.<cluster>.<name>.<folder>`.',
        'apps',
      ),
    ),
    namespaces: inNamespaces,
    repoURL: required(repoURL('The repository, one of `sourceRepos`.')),
    revision: targetRevision,
    directories: required(
      set(
        "The folders; a '*' stands for a part of one name.",
        string('A folder.', {
          pattern: `^${FOLDER}(/${FOLDER})*$`,
          maxLength: 512,
          must: "a path in the repository such as 'apps/*', without '..'",
          example: 'apps/*',
        }),
        { minItems: 1, maxItems: 16 },
      ),
    ),
    sync,
  }),
);

/** The Argo CD settings of a namespace, or of an environment of a class. */
export const namespaceArgoCD = named(
  'NamespaceArgoCD',
  object('How Argo CD deploys what the tenant has in repositories of its own.', { syncWindows }),
);

/** The Argo CD settings that a class gives each of its tenants. */
export const classArgoCD = named(
  'ClassArgoCD',
  object('What Argo CD may deploy for every tenant of the class.', {
    sourceRepos: set('Repositories from which each tenant deploys.', filledRepoURL, {
      absent: 'none but those that the tenant names',
    }),
    namespaceResourceWhitelist: kinds,
    syncWindows,
  }),
);

/** The Argo CD settings of a tenant. */
export const tenantArgoCD = named(
  'TenantArgoCD',
  object(
    'What Argo CD deploys from repositories of the tenant. With a repository the tenant has an AppProject, `tenant-<name>`: it lets in these repositories, into its namespaces alone.',
    {
      sourceRepos: set(
        'Its repositories, each of which the class has to allow (`allow.sourceRepos`).',
        repoURL('An address.'),
        { absent: 'those that the class gives' },
      ),
      namespaceResourceWhitelist: kinds,
      syncWindows,
      sourceNamespaces: set(
        "Namespaces of the tenant, on Argo CD's own cluster, in which its people may write Applications themselves.",
        dnsLabel('A namespace.', 'payments-dev'),
        { absent: 'none' },
      ),
      applications: listMap('Its Applications.', 'name', application),
      applicationSets: listMap('Its ApplicationSets.', 'name', applicationSet, { maxItems: 16 }),
    },
  ),
);

export type { GroupKind, SyncWindow, TenantApplication, TenantApplicationSet } from './types.ts';
