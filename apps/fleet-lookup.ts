import { statSync } from 'node:fs';
import { tenant as tenantKind } from '../crds/tenant.ts';
import type { TenantClassDeclaration } from '../model/declaration.ts';
import { Fleet } from '../model/fleet.ts';
import { buildClaim } from '../model/name-claims.ts';
import type { Origin } from '../model/origins.ts';
import { errorAt } from '@tenantry/kube/finding';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { Path, Problem } from '@tenantry/kube/problem';
import { ClassDeclarations } from './class-declarations.ts';
import { DeclarationFiles, type DeclaredTenant } from './declaration-files.ts';
import { defaultInput, type FleetInput } from './fleet-input.ts';
import { readPlatform, type PlatformPlace } from './platform-file.ts';
import { resolveRenderDate } from './render-date.ts';
import { renderFile } from './tenant-file.ts';

/** The place of a value in a file. */
export type FilePlace = Pick<Problem, 'file' | 'line' | 'column'>;

/** A tenant of a fleet that is declared in files and valid. */
export interface FoundTenant {
  readonly tenant: DeclaredTenant;
  /** The class, merged with its parent. */
  readonly klass: TenantClassDeclaration;
  /** The class as declared. */
  readonly declaredClass: TenantClassDeclaration;
  /** Returns the file and line of an origin; nothing for what is built in. */
  locate(origin: Origin): FilePlace;
}

/** The declarations of a folder of tenants, read without rendering all of them. */
export class FleetLookup {
  readonly fleet: Fleet;
  readonly #files: DeclarationFiles | undefined;
  readonly #classes: ClassDeclarations | undefined;
  readonly #place: PlatformPlace | undefined;
  /** Whether the platform, a class or a file has an error, so that a tenant may be missing. */
  readonly hasProblems: boolean;
  /** The tenants by name, with their files. */
  readonly #tenants = new Map<string, { readonly one: DeclaredTenant; readonly file: string }>();
  readonly #order: { readonly one: DeclaredTenant; readonly file: string }[] = [];

  constructor(input: FleetInput) {
    const read = readPlatform(input.platform, {
      mustExist: input.platform !== defaultInput.platform,
    });
    this.fleet = new Fleet({ ...read.platform, date: resolveRenderDate(input).date });
    this.#place = read.place;
    if (!statSync(input.tenants, { throwIfNoEntry: false })?.isDirectory()) {
      this.hasProblems = true;
      return;
    }
    const delegation = read.problems.length > 0 ? undefined : read.platform.delegation;
    const files = new DeclarationFiles(input.tenants, delegation);
    const classes = new ClassDeclarations(this.fleet, files, delegation, read.place);
    this.#files = files;
    this.#classes = classes;
    let count = read.problems.length + files.problems.length + classes.problems.length;
    for (const file of files.names) {
      const { declared, problems } = classes.read(file);
      count += problems.length;
      for (const one of declared) {
        if (one.kind !== tenantKind.kind) continue;
        const found = { one: one as DeclaredTenant, file };
        this.#order.push(found);
        if (!this.#tenants.has(one.name)) this.#tenants.set(one.name, found);
      }
    }
    this.hasProblems = count > 0;
  }

  /** The names of the tenants that could be read, sorted. */
  get tenantNames(): readonly string[] {
    return [...this.#tenants.keys()].toSorted();
  }

  /** Whether anything ends in a tenant or in its class. */
  hasEndings(tenant: string): boolean {
    const found = this.#tenants.get(tenant);
    return found !== undefined && this.fleet.endings(found.one).length > 0;
  }

  /** The names of the classes that tenants can choose, sorted. */
  get classNames(): readonly string[] {
    return this.fleet.classes.all.map(({ name }) => name);
  }

  /** Returns a tenant; undefined if it has an error, or its file, its class or the platform has one. */
  find(name: string): FoundTenant | undefined {
    const [files, classes, found] = [this.#files, this.#classes, this.#tenants.get(name)];
    if (!files || !classes || !found) return undefined;
    const { fleet } = this;
    const isClean = this.#isClean(files, classes, found.file);
    const klass = fleet.classes.resolve(found.one);
    if (!isClean || 'severity' in klass) return undefined;
    return {
      tenant: found.one,
      klass,
      declaredClass: fleet.classes.all.find((one) => one.name === klass.name) ?? klass,
      locate: (origin) => this.#locate(origin, found.one, klass),
    };
  }

  /** Whether a file has no error after the files before it. Afterwards, nothing is claimed, for the next tenant. */
  #isClean(files: DeclarationFiles, classes: ClassDeclarations, wanted: string): boolean {
    const { fleet } = this;
    for (const { one, file } of this.#order) {
      if (file === wanted) break;
      const claim = buildClaim(one);
      if (!fleet.isTaken(claim)) fleet.claim(claim, files.path(file), []);
    }
    const { delegation } = fleet.platform;
    const { isClean } = renderFile({ fleet, files, classes, delegation }, wanted, {});
    for (const { one } of this.#order) fleet.release(one.name);
    return isClean;
  }

  #locate(origin: Origin, tenant: DeclaredTenant, klass: TenantClassDeclaration): FilePlace {
    const [document, ...rest] = origin;
    const pick = ({ file, line, column }: Problem): FilePlace =>
      file === undefined || line === undefined ? {} : omitUndefined({ file, line, column });
    const at = (path: Path) => errorAt(path, '', 'origin');
    if (document === 'builtin') return {};
    if (document === 'platform') return this.#place ? pick(this.#place(at(rest))) : {};
    if (document === 'class' || document === 'base') {
      const name = document === 'class' ? klass.name : klass.base?.name;
      return name === undefined ? {} : pick(this.#classes!.locateFinding(name, at(rest)));
    }
    return pick(tenant.problem(at(origin)));
  }
}
