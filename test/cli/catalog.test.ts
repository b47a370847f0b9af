import { expect, test } from '@jest/globals';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { olmBundle, olmChannel, olmPackage, sound } from '@tenantry/olm/test/catalog/catalogs';
import { sample } from '@tenantry/olm/test/sample';
import { inProject } from './project.ts';

const catalog = emitYaml(sound());
const twoHeads = emitYaml([
  olmPackage(),
  olmChannel([{ name: 'redis.v1.0.0' }, { name: 'redis.v1.1.0' }]),
  olmBundle('1.0.0'),
  olmBundle('1.1.0'),
]);
const misspelt = catalog.replace('defaultChannel:', 'icn: {}\ndefaultChannel:');

test(
  'a valid catalog passes',
  inProject({ 'catalog/redis/catalog.yaml': catalog }, async (project) => {
    const out = '1 package, 1 channel, 3 bundles: 0 problems, 0 warnings\n';
    expect(await project.tenantry('catalog validate catalog')).toEqual({ code: 0, out, err: '' });
    const quiet = await project.tenantry('catalog validate catalog --quiet');
    expect(quiet).toEqual({ code: 0, out: '', err: '' });
  }),
);

test(
  'several heads are named, with file, line and column',
  inProject({ 'catalog/catalog.yaml': twoHeads }, async (project) => {
    const { code, out, err } = await project.tenantry('catalog validate catalog');
    expect([code, out]).toEqual([1, '1 package, 1 channel, 2 bundles: 1 problem, 0 warnings\n']);
    expect(err).toMatch(
      /^error catalog\/catalog\.yaml:9:1 entries channel 'stable' of package 'redis'/,
    );
    expect(err).toContain('got 2 (redis.v1.0.0, redis.v1.1.0)');
    const json = await project.tenantry('catalog validate catalog --output json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({
      command: 'catalog validate',
      outcome: 'refused',
      packages: 1,
      problems: [{ rule: 'catalog-channel-head', file: 'catalog/catalog.yaml', line: 9 }],
      warnings: [],
    });
  }),
);

test(
  'an unknown field is a warning, which --strict refuses',
  inProject({ 'catalog/catalog.yaml': misspelt }, async (project) => {
    const lenient = await project.tenantry('catalog validate catalog');
    expect([lenient.code, lenient.err]).toEqual([0, '']);
    expect(lenient.out).toContain("icn must be a known field, got 'icn'; did you mean 'icon'?");
    const strict = await project.tenantry('catalog validate catalog --strict');
    expect([strict.code, strict.err.includes("'icon'")]).toEqual([1, true]);
  }),
);

test(
  'an unreadable catalog is a user error',
  inProject({ 'catalog/catalog.yaml': 'a: [' }, async (project) => {
    const missing = await project.tenantry('catalog validate nothing');
    expect(missing).toEqual({
      code: 1,
      out: '',
      err: "error the catalog must be a folder, got 'nothing'\n",
    });
    const broken = await project.tenantry('catalog graph catalog');
    expect([broken.code, broken.out]).toEqual([1, '']);
    expect(broken.err).toContain('1 problem; nothing is drawn');
  }),
);

test(
  'channels are drawn, also of a catalog that OLM would refuse',
  inProject({ 'catalog/catalog.yaml': twoHeads }, async (project) => {
    const { code, out, err } = await project.tenantry(
      'catalog graph catalog redis --channel stable',
    );
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^flowchart LR\n/);
    expect(out.match(/ head\n/g)).toHaveLength(2);
    const unknown = await project.tenantry('catalog graph catalog rediss');
    expect(unknown.err).toBe(
      "error the package must be one of the catalog, got 'rediss'; did you mean 'redis'?\n",
    );
    expect(unknown.code).toBe(1);
  }),
);

const named = (version: string, text: string): string =>
  text.replaceAll('1.2.3', version).replace('@sha256:1', ':1');
const bundles = Object.fromEntries(
  ['1.0.0', '1.1.0'].flatMap((version) =>
    Object.entries(sample).map(([path, text]) => [
      `operators/redis/${version}/${path}`,
      named(version, text),
    ]),
  ),
);
const image = 'quay.io/example/{package}-bundle:v{version}';
const render = (...more: string[]): string[] =>
  ['catalog', 'render', 'operators', '--image', image].concat(more);
const deprecations = `schema: olm.deprecations
package: redis-operator
entries:
  - reference: { schema: olm.bundle, name: redis-operator.v1.0.0 }
    message: It loses data.
`;

test(
  'a valid catalog is rendered from the bundles in a folder',
  inProject({ ...bundles, 'old.yaml': deprecations }, async (project) => {
    const made = await project.tenantry(render('--update-graph', 'semver', '--with', 'old.yaml'));
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).toContain('image: quay.io/example/redis-operator-bundle:v1.1.0\n');
    expect(made.out).toContain('message: It loses data.\n');
    project.write({ 'catalog/catalog.yaml': made.out });
    const out = '1 package, 1 channel, 2 bundles: 0 problems, 0 warnings\n';
    expect(await project.tenantry('catalog validate catalog')).toEqual({ code: 0, out, err: '' });
    const json = await project.tenantry(render('--update-graph', 'semver', '--output', 'json'));
    project.write({ 'catalog/catalog.yaml': json.out });
    expect(await project.tenantry('catalog validate catalog')).toEqual({ code: 0, out, err: '' });
  }),
);

test(
  'a catalog that OLM would refuse is not printed, and its heads are named',
  inProject(bundles, async (project) => {
    const { code, out, err } = await project.tenantry(render());
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('got 2 (redis-operator.v1.0.0, redis-operator.v1.1.0)');
    expect(err).toContain('1 problem; nothing is printed');
  }),
);

test(
  'a mistake on the command line is reported',
  inProject({ ...bundles, 'empty/a': '' }, async (project) => {
    const missing = await project.tenantry('catalog render nothing --image a');
    expect(missing).toEqual({
      code: 1,
      out: '',
      err: "error a bundle must be a folder, got 'nothing'\n",
    });
    const none = await project.tenantry('catalog render empty --image a');
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('got none in a')]);
    const channel = await project.tenantry(render('--default-channel', 'stable'));
    expect(channel.err).toBe("error --default-channel must be package=channel, got 'stable'\n");
    const file = await project.tenantry(render('--with', 'nothing.yaml'));
    expect(file.err).toBe("error --with must be a file, got 'nothing.yaml'\n");
    const bare = await project.tenantry('catalog render operators');
    expect([bare.code, bare.err]).toEqual([1, expect.stringContaining('--image')]);
  }),
);
