import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const root = join(import.meta.dirname, '../..')
const keptTarballs = join(root, 'node_modules/.cache/packages')
/** An earlier `npm run pack` reads a package before it has installed any. */
const INSTALL_TOOLS = "import('./scripts/lib/toolchain.mjs').then(({ ensureTools }) => ensureTools())"

/** An empty folder, without a clone. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'catenary-package-'))
  await writeFile(join(folder, 'package.json'), '{}')
  return folder
}

/** Makes this checkout's tarball, as `npm run pack` does. */
export async function packCheckout(): Promise<string> {
  return packIn(root)
}

/** The tarball of an earlier commit, which is made once: its source decides it. */
export async function packCommit(commit: string): Promise<string> {
  requireCommit(commit)
  const kept = join(keptTarballs, `${commit}.tgz`)
  if (existsSync(kept)) return kept
  const folder = await mkdtemp(join(tmpdir(), 'catenary-earlier-'))
  try {
    await run('git', ['clone', '--quiet', '--shared', '--no-checkout', root, folder])
    await run('git', ['checkout', '--quiet', '--detach', commit], { cwd: folder })
    await run(process.execPath, ['--eval', INSTALL_TOOLS], { cwd: folder })
    await mkdir(keptTarballs, { recursive: true })
    // A half-written one must never exist under this name.
    const copy = `${kept}.${process.pid}`
    await copyFile(await packIn(folder), copy)
    await rename(copy, kept)
    return kept
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Installs a tarball with npm on the given Node, and gives the file that starts the program. */
export async function installTarball({
  folder,
  tarball,
  node,
}: {
  folder: string
  tarball: string
  node: string
}) {
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball]
  await run('npm', args, { cwd: folder, env: withNode(node) })
  return join(folder, 'node_modules/catenary/lib/server/main.js')
}

/** The environment in which `node` is that one, also for npm and npx. */
export function withNode(node: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) }
}

async function packIn(folder: string): Promise<string> {
  await run(process.execPath, [join(folder, 'scripts/pack.mjs')], { cwd: folder })
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  return join(folder, 'dist', `catenary-${version}.tgz`)
}

/** Throws where the history of this folder lacks a commit. */
export function requireCommit(commit: string): void {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' })
  } catch (error) {
    throw new Error(
      `The upgrade begins with commit ${commit}, which this folder’s history lacks. ` +
        'Run it in a whole clone (`git fetch --unshallow` makes one).',
      { cause: error },
    )
  }
}
