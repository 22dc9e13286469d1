import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { fetchNode } from '../scripts/lib/node.mjs'
import { median, print } from './lib/measure.ts'

const ROUNDS = 2
const POLL_MS = 50
const LIMIT_MS = 300_000
/** As `du -m` counts. */
const MB = 1024 * 1024
/** The unit of disk space. */
const BLOCK_BYTES = 512
const root = join(import.meta.dirname, '..')

interface FirstStart {
  seconds: number
  packages: number
  megabytes: number
}

const directory = await mkdtemp(join(tmpdir(), 'catenary-first-start-'))
const baseline = process.env.BENCH_BASELINE
const commits = { now: 'HEAD', ...(baseline === undefined ? {} : { baseline }) }
const nodes = await nodesOfTheMachine()

// `npm start` of a newcomer: a clone in an empty folder, an empty home, empty caches, until the program is ready.
for (const [name, path] of Object.entries(nodes)) {
  const starts = Object.fromEntries(Object.keys(commits).map((commit) => [commit, [] as FirstStart[]]))
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [commit, revision] of Object.entries(commits))
      starts[commit]?.push(await firstStart({ path, revision }))
  const before = starts.baseline === undefined ? undefined : typical(starts.baseline)
  for (const [commit, each] of Object.entries(starts)) {
    const { seconds, packages, megabytes } = typical(each)
    print({
      figure: `first npm start on Node ${name}, ${commit}: until ready; packages; on disk`,
      value: `${seconds.toFixed(1)} s; ${packages}; ${megabytes.toFixed(0)} MB`,
      ...(commit === 'now' && {
        ratio: before && (seconds / before.seconds).toFixed(2),
        target: `≤ 0.65 × 09af279, ≤ ${name.startsWith('20.') ? 450 : 300} MB`,
      }),
    })
  }
}
await rm(directory, { recursive: true, force: true })

async function firstStart({ path, revision }: { path: string; revision: string }): Promise<FirstStart> {
  const folder = await mkdtemp(join(directory, 'clone-'))
  const clone = join(folder, 'catenary')
  const home = join(folder, 'home')
  await mkdir(home)
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone])
  execFileSync('git', ['checkout', '--quiet', '--detach', commitOf(revision)], { cwd: clone })
  const port = await freePort()
  const settings = { PORT: String(port), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' }
  const env = { ...withoutNpm(process.env), ...settings, HOME: home, PATH: path }
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  while (!(await answers(`http://127.0.0.1:${port}/readyz`))) {
    if (child.exitCode !== null) throw new Error(`It did not start.\n${said}`)
    if (performance.now() - began > LIMIT_MS) throw new Error(`It was not ready in time.\n${said}`)
    await sleep(POLL_MS)
  }
  const seconds = (performance.now() - began) / 1000
  process.kill(-(child.pid ?? 0), 'SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  const folders = [join(clone, 'node_modules'), join(clone, 'scripts/node/node_modules')].filter(existsSync)
  const size = { seconds, packages: sum(folders.map(countPackages)), megabytes: sum(folders.map(bytes)) / MB }
  // The program ends after npm, and keeps what it compiled as it does.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  return size
}

/** The PATH of each Node that a newcomer may have: the machine's own, and the pinned one. */
async function nodesOfTheMachine(): Promise<Record<string, string>> {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes(`${join('node_modules', '.bin')}`) && !folder.startsWith(root))
    .join(delimiter)
  const pinned = await fetchNode('the pinned Node')
  const version = (command: string, PATH: string) =>
    execFileSync(command, ['--version'], { encoding: 'utf8', env: { PATH } }).trim().slice(1)
  return { [version('node', path)]: path, [version(pinned, path)]: [dirname(pinned), path].join(delimiter) }
}

/** How the machine reaches the registry stays; what npm says of this call, its caches and Node's are left out. */
function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(npm_|NODE_COMPILE_CACHE)/i.test(name)))
}

function commitOf(revision: string) {
  return execFileSync('git', ['rev-parse', `${revision}^{commit}`], { cwd: root, encoding: 'utf8' }).trim()
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

function typical(starts: FirstStart[]): FirstStart {
  const of = (key: keyof FirstStart) => median(starts.map((start) => start[key]))
  return { seconds: of('seconds'), packages: of('packages'), megabytes: of('megabytes') }
}

function countPackages(folder: string): number {
  const { packages } = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8'))
  return Object.keys(packages).length
}

/** The size of all installed files, hard links counted once. */
function bytes(folder: string): number {
  const seen = new Set<number>()
  return sum(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('/node_modules/.cache/'))
      .map((entry) => lstatSync(join(entry.parentPath, entry.name)))
      .filter(({ ino }) => !seen.has(ino) && seen.add(ino))
      .map(({ blocks }) => blocks * BLOCK_BYTES),
  )
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
