import { list } from './bounded.ts';
import { named } from './named.ts';
import { imagePullSecrets as pullSecrets } from './workload.ts';
import { enumOf, integer, object, string } from '../../schema/language.ts';

/** The scheduling and the pull secrets of the operator's pods. */
export const operatorPods = {
  imagePullSecrets: pullSecrets,
  tolerations: list(
    'Taints of nodes that its pods tolerate.',
    named(
      'OperatorToleration',
      object(
        'A taint, as a pod tolerates it.',
        {
          key: string('The key of the taint.', { maxLength: 317, absent: 'every key' }),
          operator: enumOf('How the value is compared.', ['Equal', 'Exists'], {
            absent: '`Equal`',
          }),
          value: string('The value of the taint.', {
            pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$',
            maxLength: 63,
            must: 'a label value',
            absent: 'the empty value',
          }),
          effect: enumOf(
            'The effect of the taint.',
            ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
            {
              absent: 'every effect',
            },
          ),
          tolerationSeconds: integer(
            'How many seconds the pods stay on a node that gets the taint.',
            { minimum: 0, absent: 'for ever' },
          ),
        },
        {
          rules: [
            {
              rule: "has(self.key) || (has(self.operator) && self.operator == 'Exists')",
              message: "must have a key, or the operator 'Exists'",
            },
            {
              rule: "!has(self.value) || !has(self.operator) || self.operator != 'Exists'",
              message: "must have no value where the operator is 'Exists'",
            },
            {
              rule: "!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')",
              message: "must have the effect 'NoExecute' where it has tolerationSeconds",
            },
          ],
        },
      ),
    ),
    { maxItems: 20, absent: 'none' },
  ),
};
