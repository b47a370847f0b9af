import { isMapping } from '../../kube/mapping.ts';

type Amounts = Readonly<Record<string, unknown>>;

/**
 * Returns the spec of a LimitRange with the API server's defaults for containers. The default comes from the maximum,
 * and the default request from the default or else from the minimum.
 * Source: SetDefaults_LimitRangeItem, https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/v1/defaults.go
 */
export function limitRangeSpec({ limits, ...rest }: Record<string, unknown>): unknown {
  return { ...rest, limits: Array.isArray(limits) ? limits.map(filled) : limits };
}

function filled(item: unknown): unknown {
  if (!isMapping(item) || item['type'] !== 'Container') return item;
  const byDefault = { ...amounts(item['max']), ...amounts(item['default']) };
  const byRequest = {
    ...amounts(item['min']),
    ...byDefault,
    ...amounts(item['defaultRequest']),
  };
  return { ...item, default: byDefault, defaultRequest: byRequest };
}

function amounts(value: unknown): Amounts {
  return isMapping(value) ? value : {};
}
