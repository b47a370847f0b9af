import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { issueCertificate, loadX509 } from '../../certificates/certify.ts';
import type { IssuedKeyPair } from '../../certificates/key-pair.ts';
import {
  buildCaBundle,
  computeNextStep,
  type RotationState,
  type RotationFacts,
  type RotationStep,
} from '../../certificates/rotation.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const x509 = loadX509();
const validity = { from: new Date('2026-01-01'), to: new Date('2027-01-01') };
/** Real authorities, since anything else is not put into a bundle. */
const authorities = Array.from(
  { length: 12 },
  (_, i) => issueCertificate(x509, { commonName: `a${i}` }, 'authority', validity).certificate,
);

interface Chance {
  readonly isTrusted: boolean;
  readonly isUnused: boolean;
  readonly isDue: boolean;
  readonly breaks: 'current' | 'next' | 'nothing';
}

const chances: fc.Arbitrary<Chance> = fc.record({
  isTrusted: fc.boolean(),
  isUnused: fc.boolean(),
  isDue: fc.boolean(),
  breaks: fc.oneof(
    { weight: 8, arbitrary: fc.constant('nothing' as const) },
    fc.constantFrom('current' as const, 'next' as const),
  ),
});

test('a certificate is served only once it is trusted, and stays trusted after it is replaced', () => {
  const seen = new Set<RotationStep>();
  fc.assert(
    fc.property(fc.array(chances, { maxLength: 30 }), (all) => {
      let count = 0;
      const broken = new Set<string>();
      const make = (): IssuedKeyPair => {
        const authority = authorities[count++ % authorities.length]!;
        return { authority, certificate: `c${count}`, key: `k${count}` };
      };
      let now: RotationState | undefined;
      for (const { isTrusted, isUnused, isDue, breaks } of all) {
        const victim = breaks === 'nothing' ? undefined : now?.[breaks];
        if (victim) broken.add(victim.certificate);
        const facts: RotationFacts = {
          isUsable: ({ certificate }) => !broken.has(certificate),
          isDue: () => isDue,
          isNextTrusted: isTrusted,
          isPreviousUnused: isUnused,
          make,
        };
        const step = computeNextStep(now, facts);
        if (step === undefined) continue;
        seen.add(step.step);
        const before = now;
        now = step.certificates;
        expect(facts.isUsable(now.current)).toBe(true);
        expect(buildCaBundle(now)).toContain(now.current.authority.trim());
        if (!before) continue;
        if (now.current !== before.current) {
          expect(buildCaBundle(now)).toContain(before.current.authority.trim());
          const wasTrusted =
            isTrusted && buildCaBundle(before).includes(now.current.authority.trim());
          expect(wasTrusted || !facts.isUsable(before.current)).toBe(true);
        }
        if (step.step === 'ended')
          expect([isUnused, buildCaBundle(now)]).toEqual([true, now.current.authority]);
      }
    }),
    runs(100),
  );
  expect([...seen].toSorted()).toEqual(['announced', 'begun', 'ended', 'switched']);
});

test('a bundle has every authority once, and nothing else', () => {
  const [a, b] = authorities as [string, string];
  const generation = (authority: string): IssuedKeyPair => ({
    authority,
    certificate: '',
    key: '',
  });
  const [one, two] = [generation(a), generation(b)];
  expect(buildCaBundle({ current: one })).toBe(a);
  expect(buildCaBundle({ current: one, next: two, previous: a.trim() })).toBe(`${a}${b}`);
  expect(buildCaBundle({ current: one, previous: 'nonsense' })).toBe(a);
});
