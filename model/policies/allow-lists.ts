import type { KubeObject } from '@tenantry/kube/object';
import { buildNamePolicy } from '../hardening/name-policy.ts';
import { FACTS } from '../ownership.ts';
import { celFactLines, celList } from './cel.ts';
import { celRepositories } from '../allow-lists/images.ts';
import { LISTED, listLabel } from '../allow-lists/labels.ts';
import { ALLOW_LISTS, type AllowList } from '../allow-lists/lists.ts';

/**
 * Builds the admission policies of all lists, with their bindings. Each applies in the Namespaces whose class has the
 * list, to everybody, as the hardening policies do. A pod arrives as a request of the controller of its Deployment, or of
 * Argo CD for an Application of a tenant, and must be bounded there too. Pods, their templates and every other object are
 * checked when they are created, and on an update for names that the object did not have before.
 */
export function buildAllowListPolicies(): readonly KubeObject[] {
  return ALLOW_LISTS.flatMap(buildAllowListPolicy);
}

function buildAllowListPolicy(list: AllowList): KubeObject[] {
  const { what, field, required = [] } = list;
  const { entries: some, refused } = MESSAGE_PARTS;
  return buildNamePolicy({
    // The label is `policy.tenantry.dev/images`.
    name: `tenant-${listLabel(list).split('/')[1]}.tenantry.dev`,
    namespaceSelector: { matchLabels: { [listLabel(list)]: LISTED } },
    list,
    variables: [{ name: 'entries', expression: celFactLines(FACTS[field]) }],
    isAllowed: celIsListed(list),
    message: `'${what} must be one that the class allows in allow.${field} (' + ${some} + '), got ' + ${refused}`,
    ...(required.length > 0 && {
      validations: [
        {
          expression: `!(${celMissing(required)})`,
          messageExpression: `'${what} must be named, one that the class allows in allow.${field} (' + ${some} + ')'`,
        },
      ],
    }),
  });
}

/**
 * CEL for the parts of messages. The API server drops a message of more than 5,120 bytes, so a long list is not repeated
 * in it.
 */
const MESSAGE_PARTS = {
  entries: `(size(variables.entries) == 0 ? 'none' : size(variables.entries) > 10 ? string(size(variables.entries)) + ' entries' : variables.entries.join(', '))`,
  refused: `(variables.refused[0] == '' ? '\\'\\'' : variables.refused[0]) + (size(variables.refused) > 1 ? ' and ' + string(size(variables.refused) - 1) + ' more' : '')`,
};

/** Returns CEL that tests whether an object of these kinds has no name, and did not have one before either. */
const celMissing = (kinds: readonly string[]): string =>
  `request.kind.kind in ${celList(kinds)} && size(variables.names) == 0 && (request.operation == 'CREATE' || size(variables.before) > 0)`;

/** Returns CEL that tests whether a name `n` is listed. */
function celIsListed({ field, builtin = [] }: AllowList): string {
  if (field === 'images') {
    const isWithin = "(e.endsWith('/*') ? r.startsWith(e.substring(0, size(e) - 1)) : r == e)";
    return `'*' in variables.entries || ${celRepositories('[n]')}.exists(r, r != '' && variables.entries.exists(e, ${isWithin}))`;
  }
  const isBuiltin = builtin.length > 0 ? `n in ${celList(builtin)} || ` : '';
  return `${isBuiltin}variables.entries.exists(e, e == n || (e.endsWith('*') && n != '' && n.startsWith(e.substring(0, size(e) - 1))))`;
}
