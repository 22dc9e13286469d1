import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { fetchNode } from '../scripts/lib/node.mjs'
import { createApi } from './harness/api.ts'
import { buildWithoutDocker, type Image, parseDockerfile, readIgnore } from './harness/dockerfile.ts'
import { root, withNode } from './harness/package.ts'

const run = promisify(execFile)
const BUILD_MS = 900_000
const START_MS = 300_000
const USER = 1000
const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const PERSON = { username: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }
const isRoot = process.getuid?.() === 0

let folder: string
let context: string
let image: Image
/** Where the image finds its Node. */
let nodePath: string | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catenary-container-'))
  // Users other than the one that runs the tests read it.
  await chmod(folder, 0o755)
  const clone = join(folder, 'clone')
  await run('git', ['clone', '--quiet', '--shared', root, clone])
  for (const secret of ['.env', 'data/secret.key', 'apps/server/.env', 'node_modules/left-over']) {
    await mkdir(dirname(join(clone, secret)), { recursive: true })
    await writeFile(join(clone, secret), 'secret')
  }
  context = join(folder, 'context')
  const lets = await readIgnore(join(clone, '.dockerignore'))
  const isLet = (path: string) => path === '' || lets(path)
  await cp(clone, context, { recursive: true, filter: (file) => isLet(relative(clone, file)) })
  const env: NodeJS.ProcessEnv = { ...withNode(await fetchNode('the pinned Node')), SOURCE_COMMIT: COMMIT }
  nodePath = env.PATH
  const instructions = parseDockerfile(await readFile(join(root, 'Dockerfile'), 'utf8'))
  image = await buildWithoutDocker({ instructions, context, folder, env })
}, BUILD_MS)
afterAll(() => rm(folder, { recursive: true, force: true }))

test('nothing that is secret or left over gets into a layer', async () => {
  for (const file of ['.env', 'data', '.git', 'node_modules', 'apps/server/.env'])
    await expect(stat(join(context, file)), file).rejects.toThrow('ENOENT')
  await expect(stat(join(context, 'apps/server/src/main.ts'))).resolves.toBeDefined()
})

test('its Node is the one that tests run on, and nothing runs as root or through a shell', async () => {
  const text = await readFile(join(root, 'Dockerfile'), 'utf8')
  const { dependencies } = JSON.parse(await readFile(join(root, 'scripts/node/package.json'), 'utf8'))
  const images = [...text.matchAll(/^FROM (?:--\S+ )?(\S+)/gm)].map(([, name]) => name)
  expect(new Set(images)).toEqual(new Set([`node:${dependencies.node}-slim`]))
  expect(image.user).toBe(`${USER}:${USER}`)
  expect(image.healthcheck.slice(0, 2)).toEqual(['node', '-e'])
  expect(image.entrypoint[0]).toBe('node')
})

test('started as its user it makes its data, is healthy, keeps what is written, and stops by a signal', async () => {
  const data = join(image.folder, '/data')
  if (isRoot) expect((await stat(data)).uid).toBe(USER)
  const first = await startContainer()
  expect(await first.health()).toBe(0)
  const api = createApi(first.url)
  await api.post('/api/register', PERSON)
  expect(await first.stop()).toBe(0)
  expect(await first.health()).toBe(1)
  if (isRoot) expect((await stat(join(data, 'secret.key'))).uid).toBe(USER)

  const second = await startContainer()
  await createApi(second.url).post('/api/login', { username: PERSON.username, password: PERSON.password })
  expect(await second.stop()).toBe(0)
})

test('commands are run by their name, and tell which commit it is', async () => {
  const { stdout } = await run(...command([...image.entrypoint, '--version']))
  expect(stdout).toMatch(/^\d+\.\d+\.\d+ \(0123456\)\n$/)
})

/** As the image's user and in its environment, with the image's root for a path that begins with it. */
function command(args: string[], env: Record<string, string> = {}): [string, string[], object] {
  const inside = (value: string) => (value.startsWith('/') ? join(image.folder, value) : value)
  const [file = '', ...rest] = args.map(inside)
  const [uid, gid] = image.user.split(':').map(Number)
  const settings = Object.fromEntries(Object.entries(image.env).map(([name, value]) => [name, inside(value)]))
  const options = {
    cwd: inside(image.directory),
    env: { PATH: nodePath, ...settings, ...env },
    ...(isRoot && { uid, gid }),
  }
  return [file, rest, options]
}

async function startContainer() {
  const env = { PORT: String(await freePort()) }
  const url = `http://127.0.0.1:${env.PORT}`
  const child = spawn(...command([...image.entrypoint, ...image.command], env))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += String(chunk)))
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const deadline = Date.now() + START_MS
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`It did not start.\n${said}`)
    await sleep(100)
  }
  return {
    url,
    health: () =>
      run(...command(image.healthcheck, env)).then(
        () => 0,
        (error) => error.code,
      ),
    stop: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await exited
      return code
    },
  }
}
