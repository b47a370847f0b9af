import { define } from '@tenantry/crd';
import {
  conditions,
  integer,
  object,
  string,
  enumOf,
  listMap,
  required,
  type JSONSchemaProps,
  type ValidationRule,
} from '@tenantry/crd/schema';

/** A ContainerPort (core/v1), without the fields that open a port of the node. */
export interface Port {
  /** The name that Services can use. */
  readonly name?: string;
  readonly containerPort: number;
  readonly protocol: 'TCP';
}

const name = string('By which Services find it: lower-case letters, digits and single hyphens.', {
  // IANA_SVC_NAME, as for ContainerPort: at least one letter.
  pattern: '^([a-z0-9]-?)*[a-z](-?[a-z0-9])*$',
  maxLength: 15,
  example: 'http',
});

const port = object('Where nginx listens, as in a ContainerPort.', {
  name,
  containerPort: required(integer('The port.', { minimum: 1, maximum: 65_535, example: 8080 })),
  // It serves plain HTTP, so there is no use for another protocol.
  protocol: enumOf('Its protocol.', ['TCP'], { default: 'TCP' }),
});

/** Returns the schema of the ports where nginx listens. An absent list defaults to 8080. */
function ports() {
  return listMap('Where nginx listens.', ['containerPort', 'protocol'], port, {
    minItems: 1,
    maxItems: 16,
    default: [{ containerPort: 8080, protocol: 'TCP' }],
    rules: [
      {
        rule: 'self.all(one, !has(one.name) || self.filter(other, has(other.name) && other.name == one.name).size() == 1)',
        message: 'must not have two ports of one name',
      },
    ],
  });
}

const NAME = new RegExp(name.pattern ?? '');

/** Whether a port may have this name. */
export function isPortName(text: string): boolean {
  return text.length <= 15 && NAME.test(text);
}

/** The fields of all versions. */
const common = {
  replicas: integer('How many pods; 0 is none.', {
    minimum: 0,
    maximum: 1000,
    absent: 'the number in the manifest of the operand',
    example: 2,
  }),
  // The misspelled name was published like this. Only a new version could correct it.
  forceRedploy: string('Any text: when it becomes another one, all pods are replaced once.', {
    maxLength: 256,
    absent: 'nothing is forced',
    example: 'after the holidays',
  }),
};

const onePort = object(
  'What it should be.',
  {
    port: integer('Where nginx listens.', { minimum: 1, maximum: 65_535, default: 8080 }),
    ...common,
  },
  { default: {} },
);

const manyPorts = object('What it should be.', { ports: ports(), ...common }, { default: {} });

/**
 * Refuses objects without ports. While a definition converts nothing, as for a while during an upgrade
 * by OLM, an object of v1alpha1 is read without ports. A write of its status would then lose its port,
 * which the API server prunes as an unknown field. No other object lacks ports, because the default
 * fills them in. So the rule refuses only such writes, and those of `scale`.
 */
const converted: ValidationRule = {
  rule: 'has(self.spec.ports)',
  message: 'must have ports: it is of another version, and is not converted at present',
};

interface Shown {
  /** The path of the field in the column for the port. */
  readonly port: string;
  readonly rules?: readonly ValidationRule[];
}

function versionOf<Spec extends JSONSchemaProps>(spec: Spec, { port, rules = [] }: Shown) {
  const fields = {
    metadata: {
      type: 'object',
      properties: {
        // It is also the value of a label.
        name: string('The name.', { maxLength: 63 }),
      },
    },
    spec,
    status: object('What is the case.', {
      replicas: integer('How many pods there are.', { minimum: 0 }),
      selector: string('A label selector that selects them.', { maxLength: 512 }),
      conditions: conditions(),
    }),
  } as const;
  const schema = object('An nginx.', fields, { rules });
  const degraded = ".status.conditions[?(@.type=='OperatorDegraded')]";
  return {
    schema,
    subresources: {
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
    additionalPrinterColumns: [
      { name: 'Port', type: 'integer', jsonPath: port },
      { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
      { name: 'Degraded', type: 'string', jsonPath: `${degraded}.status` },
      { name: 'Reason', type: 'string', jsonPath: `${degraded}.reason` },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
  } as const;
}

const v1alpha1 = versionOf(onePort, { port: '.spec.port' });

// The first of several ports: the API server prints only one value.
const v1alpha2 = versionOf(manyPorts, {
  port: '.spec.ports[0].containerPort',
  rules: [converted],
});

const names = {
  group: 'operator.example.com',
  kind: 'NginxOperator',
  plural: 'nginxoperators',
  scope: 'Namespaced',
} as const;

/** The definition in 0.0.1. */
export const withV1alpha1 = define({ ...names, versions: { v1alpha1 } });

/**
 * The definition in 0.1.0. It adds a second version and still stores the first one. So a cluster can go
 * back to 0.0.1, which does not know the second version.
 */
export const withBoth = define({
  ...names,
  versions: { v1alpha2, v1alpha1: { ...v1alpha1, storage: true } },
});

/** The definition in 0.2.0. It stores objects in the new version, which 0.1.0 knows too. */
export const storedAsV1alpha2 = define({
  ...names,
  versions: { v1alpha2: { ...v1alpha2, storage: true }, v1alpha1 },
});
