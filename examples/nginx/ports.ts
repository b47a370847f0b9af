import { enumOf, integer, listMap, object, required, string } from '../../schema.ts';

/** A ContainerPort (core/v1), without what would take a port of the node. */
export interface Port {
  /** By which Services find it. */
  readonly name?: string;
  readonly containerPort: number;
  readonly protocol: 'TCP';
}

const name = string('By which Services find it: lower-case letters, digits and single hyphens.', {
  // IANA_SVC_NAME, as ContainerPort has it: with one letter at least.
  pattern: '^([a-z0-9]-?)*[a-z](-?[a-z0-9])*$',
  maxLength: 15,
  example: 'http',
});

const port = object('Where nginx listens, as a ContainerPort says it.', {
  name,
  containerPort: required(integer('The port.', { minimum: 1, maximum: 65_535, example: 8080 })),
  // It serves HTTP. That it is not encrypted leaves no use for another one.
  protocol: enumOf('Its protocol.', ['TCP'], { default: 'TCP' }),
});

/** Where nginx listens. Of a list that is not said, 8080 is left. */
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
