import { compareDefinitionSets } from '@tenantry/crd/compatibility';
import { readDefinitions, type LocatedDefinition } from '@tenantry/crd/manifests';
import { definePlanRules, type ReportChange } from './change.ts';
import {
  DEFINITIONS_GROUP,
  filterByKind,
  type ClusterChange,
  type LocatedObject,
} from './cluster-changes.ts';

const rules = definePlanRules('definitions', {
  breaking: [
    'definition-breaking',
    'high',
    'a CustomResourceDefinition is removed, or changes in a way that breaks stored objects or clients: see `crd diff`',
  ],
  unknown: [
    'definition-unknown',
    'medium',
    '`crd diff` cannot determine whether a change of a definition breaks something, or the definition cannot be read',
  ],
  compatible: [
    'definition-compatible',
    'low',
    'a definition is new, or changes so that nothing breaks',
  ],
});

export const definitionRules = Object.values(rules);

/** Classifies the changes of CustomResourceDefinitions with `crd diff`, by cluster. */
export function judgeDefinitions({ pairs }: ClusterChange, report: ReportChange): void {
  for (const { where, before, after } of filterByKind(
    pairs,
    DEFINITIONS_GROUP,
    'CustomResourceDefinition',
  )) {
    const { name } = (after ?? before)!.object.metadata;
    const subject = `CustomResourceDefinition ${name}`;
    const [old, now] = [readDefinition(before), readDefinition(after)];
    if ((before && !old) || (after && !now)) {
      report(rules.unknown, subject, 'cannot be read: see `tenantry crd check`', where);
      continue;
    }
    const [{ changes } = { changes: [] }] = compareDefinitionSets(
      old ? [old] : [],
      now ? [now.manifest] : [],
    );
    const compatible = changes.filter(({ verdict }) => verdict === 'compatible');
    for (const { verdict, version, path, message } of changes) {
      if (verdict === 'compatible') continue;
      const place = [version, path].filter(Boolean).join(' ');
      report(rules[verdict], subject, place === '' ? message : `${place}: ${message}`, where);
    }
    if (compatible.length > 0) {
      const more = compatible.length > 1 ? `, and ${compatible.length - 1} more` : '';
      report(rules.compatible, subject, `compatible: ${compatible[0]!.message}${more}`, where);
    }
  }
}

function readDefinition(placed: LocatedObject | undefined): LocatedDefinition | undefined {
  if (!placed) return undefined;
  return readDefinitions(placed.path, JSON.stringify(placed.object)).definitions[0];
}
