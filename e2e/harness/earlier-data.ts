import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { requireCommit, root } from './package.ts'
import { type RunningServer, startServer } from './server.ts'

const run = promisify(execFile)
const kept = join(root, 'node_modules/.cache/earlier-data')
/** As that commit starts, but for the web app, which needs a build. */
const INSTALL = "import('./scripts/lib/toolchain.mjs').then(({ ensureInstalled }) => ensureInstalled())"

interface EarlierData {
  commit: string
  /** What people did with its program. */
  use: (server: RunningServer) => Promise<void>
  /** The name of what `use` does: data are made once for each. */
  name: string
}

/** A new copy of the data directory that the program of an earlier commit left; made once, which installs what it needs. */
export async function copyEarlierData({ commit, use, name }: EarlierData): Promise<string> {
  const place = join(kept, `${commit}-${name}`)
  if (!existsSync(place)) await makeEarlierData({ commit, use, place })
  const dataDir = await mkdtemp(join(tmpdir(), 'catenary-earlier-data-'))
  await cp(place, dataDir, { recursive: true })
  return dataDir
}

async function makeEarlierData({
  commit,
  use,
  place,
}: Omit<EarlierData, 'name'> & { place: string }): Promise<void> {
  requireCommit(commit)
  const folder = await mkdtemp(join(tmpdir(), 'catenary-earlier-'))
  try {
    await run('git', ['clone', '--quiet', '--shared', '--no-checkout', root, folder])
    await run('git', ['checkout', '--quiet', '--detach', commit], { cwd: folder })
    await run(process.execPath, ['--eval', INSTALL], { cwd: folder })
    const dataDir = join(folder, 'data')
    await mkdir(dataDir)
    const server = await startServer({ dataDir, program: join(folder, 'apps/server/src/main.ts') })
    try {
      await use(server)
      await server.stop()
    } finally {
      await server.dispose()
    }
    await mkdir(kept, { recursive: true })
    // A half-written one must never exist under this name.
    const copy = `${place}.${process.pid}`
    await cp(dataDir, copy, { recursive: true })
    await rename(copy, place)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
