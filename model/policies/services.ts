import { INSIDE_CLUSTER } from '../../crds/service-bounds.ts';
import { CLOUD_DOMAIN, NO_CLASS } from '../classes/services.ts';
import { FACTS } from '../ownership.ts';
import { celFactLines } from './cel.ts';
import type { TenantUserPolicy } from './policy.ts';

const classOf = (object: string): string => `${object}.spec.?loadBalancerClass.orValue('')`;
const nameOf = (object: string): string => `${object}.spec.?externalName.orValue('')`;

/**
 * Returns CEL for the entries of a list, shortened to 1000 characters. The API server shows the expression of a policy in
 * place of a message of more than 5 KiB.
 * Source: k8s.io/apiserver pkg/admission/plugin/policy/validating/validator.go
 */
const listed = (list: string): string =>
  `(size(${list}.join(', ')) > 1000 ? ${list}.join(', ').substring(0, 1000) + '...' : ${list}.join(', '))`;

/** CEL that tests whether a pattern `p` allows the name; `allowsExternalName` is the same for declared objects. */
const isNameAllowed = `(p == variables.name || (!variables.isInside && (p == '*' ? variables.externalName.endsWith('.') && !variables.name.endsWith('${CLOUD_DOMAIN}') : p.startsWith('*.') && variables.name.endsWith(p.substring(1)))))`;

/** CEL that tests whether an entry `c` allows the class of the load balancer, or that there is none. */
const isClassAllowed = `(c == variables.loadBalancerClass || (c.endsWith('*') && variables.loadBalancerClass != '${NO_CLASS}' && variables.loadBalancerClass.startsWith(c.substring(0, size(c) - 1))))`;

/**
 * Bounds Services. One with `externalIPs` receives the cluster's traffic to these addresses. One of type ExternalName
 * leads an ingress controller or a gateway to whatever its name resolves to there, such as a Service of another
 * namespace. On update, the policy checks the type, the name and the class only if the request changes them.
 * Source: CVE-2020-8554, https://github.com/kubernetes/kubernetes/issues/97076; CVE-2021-25740,
 * https://github.com/kubernetes/kubernetes/issues/103675
 */
export const services: TenantUserPolicy = {
  concern: 'services',
  rules: [{ apiGroups: [''], resources: ['services'], operations: ['CREATE', 'UPDATE'] }],
  variables: {
    blocks: celFactLines(FACTS.externalIPs),
    taken:
      'object.spec.?externalIPs.orValue([]).filter(a, !(isIP(a) && variables.blocks.exists(b, cidr(b).containsIP(ip(a)))))',
    types: celFactLines(FACTS.serviceTypes),
    type: "object.spec.?type.orValue('ClusterIP')",
    isTypeNew:
      "request.operation == 'CREATE' || oldObject.spec.?type.orValue('ClusterIP') != variables.type",
    names: celFactLines(FACTS.externalNames),
    externalName: nameOf('object'),
    isNameNew: `variables.type == 'ExternalName' && (variables.isTypeNew || ${nameOf('oldObject')} != variables.externalName)`,
    name: "(variables.externalName.endsWith('.') ? variables.externalName.substring(0, size(variables.externalName) - 1) : variables.externalName).lowerAscii()",
    isInside: `variables.name.matches(${JSON.stringify(INSIDE_CLUSTER)})`,
    classes: celFactLines(FACTS.loadBalancerClasses),
    loadBalancerClass: `${classOf('object')} == '' ? '${NO_CLASS}' : ${classOf('object')}`,
    isClassNew: `variables.type == 'LoadBalancer' && (variables.isTypeNew || ${classOf('oldObject')} != ${classOf('object')})`,
  },
  validations: [
    {
      expression: 'size(variables.taken) == 0',
      message: `'a Service must have no externalIPs but those that the class allows (' + (size(variables.blocks) == 0 ? 'none' : ${listed('variables.blocks')}) + '), got ' + ${listed('variables.taken')}`,
    },
    {
      expression:
        '!variables.isTypeNew || size(variables.types) == 0 || variables.type in variables.types',
      message:
        "'a Service must have a type that the class allows (' + variables.types.join(', ') + '), got ' + variables.type",
    },
    {
      expression: `!variables.isNameNew || variables.names.exists(p, ${isNameAllowed})`,
      message: `'a Service must have an externalName that the class allows (' + (size(variables.names) == 0 ? 'none' : ${listed('variables.names')}) + '), got ' + variables.externalName + ('*' in variables.names ? ': * is for names outside of the cluster, with a dot at the end' : '')`,
    },
    {
      expression: `!variables.isClassNew || size(variables.classes) == 0 || variables.classes.exists(c, ${isClassAllowed})`,
      message: `'a Service must have a loadBalancerClass that the class allows (' + ${listed('variables.classes')} + '), got ' + variables.loadBalancerClass`,
    },
  ],
};
