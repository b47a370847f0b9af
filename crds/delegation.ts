import { list, listMap, set } from './schema-builders.ts';
import { object, required, string, labelValue } from '@tenantry/crd/schema/language';
import { approval } from './approval.ts';
import { named } from './named.ts';

/**
 * ASCII without hidden names. It excludes names that two readers may understand differently,
 * because of case, Unicode forms, `..`, or globs within a name.
 */
const NAME = '(\\*|[A-Za-z0-9_][A-Za-z0-9._-]*)';

const folder = (description: string) =>
  string(description, {
    pattern: `^(\\.|${NAME}(/${NAME})*)$`,
    maxLength: 200,
    must:
      "a folder such as 'finance' or 'teams/*', or '.' for all of them: names of letters, digits, " +
      "'.', '_' and '-', a '*' for one whole name, no '/' at the end",
    example: 'finance',
  });

const names = (what: string, absent: string) =>
  set(
    `${what}; a '*' at the end stands for any rest.`,
    string('A name.', {
      pattern: '^[a-z0-9][-a-z0-9]*\\*?$|^\\*$',
      maxLength: 63,
      must: "a name, with a '*' at the end for any rest",
    }),
    { absent },
  );

const owners = (description: string, absent: string) =>
  set(
    description,
    string('A user or group (`@user`, `@organization/team`), or an email address.', {
      pattern:
        '^(@[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*|[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+)$',
      maxLength: 200,
      must: "'@user', '@organization/team' or an email address",
    }),
    { maxItems: 20, absent },
  );

const delegated = named(
  'DelegatedFolder',
  object('What the files of a folder, and of the folders in it, may declare.', {
    folder: required(
      folder('It, below the folder of tenants. Of several, the deepest holds alone.'),
    ),
    tenants: names('The names that Tenants may have', 'no Tenants'),
    namespaces: names('The names that their namespaces may have', 'any that no other tenant has'),
    classes: names('The names that TenantClasses may have', 'no TenantClasses'),
    labels: listMap(
      'Labels that its Tenants may carry although a class goes by them (`allowedTenants.selector`).',
      'key',
      named(
        'DelegatedLabel',
        object('A label.', {
          key: required(string('Its key.', { minLength: 1, maxLength: 317 })),
          values: set('Its values.', labelValue(), { absent: 'any value' }),
        }),
      ),
      { absent: 'none' },
    ),
    owners: owners('Who reviews changes of it.', 'the owners of the platform'),
  }),
);

/** `spec.delegation` of the platform file. */
export const delegation = named(
  'DelegationSpec',
  object('Who may declare what, and who reviews it.', {
    folders: listMap('The folders. What none of them allows is refused.', 'folder', delegated, {
      minItems: 1,
      maxItems: 500,
      absent: 'TenantClasses stand in `classes`, Tenants everywhere',
    }),
    shared: list(
      'Folders whose files every declaration may include.',
      folder('A folder below that of tenants.'),
      { absent: 'none: files include from their own folder of `folders`' },
    ),
    owners: owners(
      "The platform's: who reviews everything that no other owner has.",
      '`tenantry tenant codeowners` asks for them',
    ),
    approval,
  }),
);

export type { DelegatedFolder, DelegationSpec } from './types.ts';
