import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const root = join(import.meta.dirname, '../..')

/** An empty folder, as of someone who has never seen a clone. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'catenary-package-'))
  await writeFile(join(folder, 'package.json'), '{}')
  return folder
}

/** Makes this checkout's tarball, as `npm run pack` does. */
export async function packCheckout(): Promise<string> {
  return packIn(root)
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
