import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { requireCommit, root } from './package.ts'

const run = promisify(execFile)
const INSTALL = "import('./scripts/lib/toolchain.mjs').then(({ ensureInstalled }) => ensureInstalled())"
const WORKSPACES = ['apps/server', 'apps/web', 'packages/contracts', 'packages/domain']
const OWN = '@catenary'

interface LockFile {
  packages: Record<string, { version?: string; link?: boolean; dev?: boolean }>
}

/** The program of the version before (`scripts/version-before.json`), without a web app: the file that starts it. */
export async function checkOutVersionBefore(): Promise<{ program: string; remove(): Promise<void> }> {
  const { commit } = JSON.parse(await readFile(join(root, 'scripts/version-before.json'), 'utf8'))
  requireCommit(commit)
  const folder = await mkdtemp(join(tmpdir(), 'catenary-before-'))
  await run('git', ['clone', '--quiet', '--shared', '--no-checkout', root, folder])
  await run('git', ['checkout', '--quiet', '--detach', commit], { cwd: folder })
  if (await sharesPackages(folder)) await linkPackages(folder)
  else await run(process.execPath, ['--eval', INSTALL], { cwd: folder })
  return {
    program: join(folder, 'apps/server/src/main.ts'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Whether all that it installs is installed here in the same version, so that nothing has to be fetched. */
async function sharesPackages(folder: string): Promise<boolean> {
  const read = async (from: string) =>
    JSON.parse(await readFile(join(from, 'package-lock.json'), 'utf8')) as LockFile
  const [before, now] = [await read(folder), await read(root)]
  return Object.entries(before.packages).every(
    ([name, { version, link, dev }]) =>
      link || dev || !name.includes('node_modules/') || now.packages[name]?.version === version,
  )
}

/** Links to the packages that are installed here; its own ones are its own. */
async function linkPackages(folder: string): Promise<void> {
  for (const place of ['', ...WORKSPACES]) {
    const [from, to] = [join(root, place, 'node_modules'), join(folder, place, 'node_modules')]
    if (!existsSync(from)) continue
    await mkdir(to)
    for (const name of await readdir(from))
      if (name !== OWN && !name.startsWith('.')) await symlink(join(from, name), join(to, name))
  }
  await mkdir(join(folder, 'node_modules', OWN))
  for (const place of WORKSPACES)
    await symlink(join(folder, place), join(folder, 'node_modules', OWN, place.split('/')[1] ?? ''))
}
