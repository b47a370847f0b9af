import { enumOf, integer, listMap, object, required, string } from '../../schema.ts';

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
export function ports() {
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
