import { Construct } from 'constructs';
import { formatFinding, type Finding } from '@tenantry/kube/finding';
import { WARNING } from '@tenantry/kube/construct-metadata';
import { tenantClass as kind, type TenantClassSpec } from '../../crds/tenant-class.ts';
import { validate } from '@tenantry/crd/schema/validate';
import { toTenantClassObject } from '../../model/declared-objects.ts';
import type { TenantClassDeclaration } from '../../model/declaration.ts';
import { toSchemaFinding, addErrorValidation } from '@tenantry/crd/constructs/error-validation';
import { getFleet } from './scope.ts';

/** The spec of a TenantClass, and its name. */
export interface TenantClassProps extends TenantClassSpec {
  /** @default - the construct's id */
  readonly name?: string;
  /** Labels and annotations of the TenantClass itself. @default - none */
  readonly metadata?: Pick<TenantClassDeclaration, 'labels' | 'annotations'>;
}

/**
 * A class that tenants of the same tree can choose by name. Declare it before them. It is rendered with the platform's
 * own objects (`PlatformObjects`). Its parent class may be declared in a file or in TypeScript, before the first tenant
 * that chooses this class.
 *
 * @example
 * ```ts
 * import { App, Tenant, TenantClass } from 'tenantry';
 *
 * const app = new App();
 * new TenantClass(app, 'batch', {
 *   presets: { quotas: [{ name: 'nightly', hard: { pods: 200, 'requests.cpu': '32' } }] },
 *   defaults: { quota: { preset: 'nightly' } },
 *   ceilings: { namespaces: 3 },
 * });
 * new Tenant(app, 'forecast', { className: 'batch' });
 * app.synth();
 * ```
 */
export class TenantClass extends Construct {
  readonly declaration: TenantClassDeclaration;

  constructor(scope: Construct, id: string, props: TenantClassProps = {}) {
    super(scope, id);
    const { name = id, metadata, ...spec } = props;
    this.declaration = { name, ...metadata, spec };
    const findings = this.#declare();
    const wrong = findings.filter(({ severity }) => severity === 'error');
    for (const finding of findings) {
      if (finding.severity === 'warning') this.node.addMetadata(WARNING, formatFinding(finding));
    }
    const fleet = getFleet(this);
    const collectErrors = (): readonly Finding[] => {
      const isTaken = !fleet.classes.all.includes(this.declaration);
      const late = isTaken ? [] : fleet.classes.checkExtension(name).findings;
      return [...wrong, ...late.filter(({ severity }) => severity === 'error')];
    };
    addErrorValidation(this, new.target, collectErrors);
  }

  /**
   * Adds the class to the fleet and returns its findings. Tenants that choose a class with an error do not repeat them.
   */
  #declare(): readonly Finding[] {
    const fleet = getFleet(this);
    const misshapen = validate(kind.file, toTenantClassObject(this.declaration)).map(
      toSchemaFinding,
    );
    const { name } = this.declaration;
    const isSound = misshapen.length === 0;
    const found = fleet.classes.add(isSound ? this.declaration : { name, spec: {} }, {
      isReported: true,
    });
    if (!isSound) fleet.classes.refuse(name);
    if (!isSound || hasDuplicate(found)) return [...misshapen, ...found];
    return [...found, ...fleet.classes.check(name).findings];
  }
}

function hasDuplicate(findings: readonly Finding[]): boolean {
  return findings.some(({ rule }) => rule === 'duplicate-class');
}
