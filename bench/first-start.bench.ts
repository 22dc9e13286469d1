import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { packCheckout, packCommit } from '../e2e/harness/package.ts'
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

// What a newcomer types first: a clone or a tarball in an empty folder, an empty home, empty caches, until the program is ready.
for (const [name, path] of Object.entries(nodes)) {
  await compare({
    figure: `first npm start on Node ${name}`,
    target: `≤ 0.65 × 09af279, ≤ ${isOld(name) ? 450 : 300} MB`,
    sides: Object.entries(commits).map(([side, revision]) => ({
      side,
      start: () => fromClone(path, revision),
    })),
  })
  if (isOld(name)) continue
  const tarballs = await packages()
  await compare({
    figure: `first npx of the tarball on Node ${name}`,
    sides: Object.entries(tarballs).map(([side, tarball]) => ({
      side,
      start: () => fromTarball(path, tarball),
    })),
  })
}
await rm(directory, { recursive: true, force: true })

/** Which the package does not run on. */
function isOld(version: string): boolean {
  return Number(version.split('.')[0]) < 22
}

async function compare({
  figure,
  target,
  sides,
}: {
  figure: string
  target?: string
  sides: { side: string; start: () => Promise<FirstStart> }[]
}): Promise<void> {
  const starts = sides.map(({ side, start }) => ({ side, start, done: [] as FirstStart[] }))
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { start, done } of starts) done.push(await start())
  const baseline = starts.find(({ side }) => side === 'baseline')
  for (const { side, done } of starts) {
    const { seconds, packages, megabytes } = typical(done)
    print({
      figure: `${figure}, ${side}: until ready; packages; on disk`,
      value: `${seconds.toFixed(1)} s; ${packages}; ${megabytes.toFixed(0)} MB`,
      ...(side === 'now' && {
        ratio: baseline && (seconds / typical(baseline.done).seconds).toFixed(2),
        target,
      }),
    })
  }
}

async function fromClone(path: string, revision: string): Promise<FirstStart> {
  const folder = await mkdtemp(join(directory, 'clone-'))
  const clone = join(folder, 'catenary')
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone])
  execFileSync('git', ['checkout', '--quiet', '--detach', commitOf(revision)], { cwd: clone })
  const installed = () => [join(clone, 'node_modules'), join(clone, 'scripts/node/node_modules')]
  return firstStart({ folder, cwd: clone, path, command: 'npm', args: ['start'], installed })
}

async function fromTarball(path: string, tarball: string): Promise<FirstStart> {
  const folder = await mkdtemp(join(directory, 'package-'))
  const file = basename(tarball)
  await copyFile(tarball, join(folder, file))
  const cached = join(folder, 'home/.npm/_npx')
  const installed = () => readdirSync(cached).map((name) => join(cached, name, 'node_modules'))
  return firstStart({ folder, cwd: folder, path, command: 'npx', args: ['--yes', `./${file}`], installed })
}

/** Of this checkout, and of the baseline where that made packages. */
async function packages(): Promise<Record<string, string>> {
  const now = await packCheckout()
  const made = baseline !== undefined && hasFile(baseline, 'scripts/pack.mjs')
  return { now, ...(made && { baseline: await packCommit(commitOf(baseline)) }) }
}

function hasFile(revision: string, file: string): boolean {
  const listed = execFileSync('git', ['ls-tree', '--name-only', commitOf(revision), file], { cwd: root })
  return listed.length > 0
}

async function firstStart({
  folder,
  cwd,
  path,
  command,
  args,
  installed,
}: {
  folder: string
  cwd: string
  path: string
  command: string
  args: string[]
  /** The folders with what was installed, once it is. */
  installed: () => string[]
}): Promise<FirstStart> {
  const home = join(folder, 'home')
  await mkdir(home)
  const port = await freePort()
  const settings = { PORT: String(port), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' }
  const env = { ...withoutNpm(process.env), ...settings, HOME: home, PATH: path }
  const began = performance.now()
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
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
  const folders = installed().filter(existsSync)
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
    filesBelow(folder)
      .map((file) => lstatSync(file))
      .filter(({ ino }) => !seen.has(ino) && seen.add(ino))
      .map(({ blocks }) => blocks * BLOCK_BYTES),
  )
}

/** Without caches. Node's own recursive listing follows links, and would count the clone's source. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === '.cache' ? [] : filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
