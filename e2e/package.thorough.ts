import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { BackupsState } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { fetchNode } from '../scripts/lib/node.mjs'
import { tool } from '../scripts/lib/toolchain.mjs'
import { type Api, createApi } from './harness/api.ts'
import { installTarball, makeFolder, packCheckout, root, withNode } from './harness/package.ts'
import { OTHER_PROGRAM, startServer } from './harness/server.ts'

const run = promisify(execFile)
/** Packing an earlier commit installs what it was built with. */
const PATIENCE_MS = 900_000
/** How the bundle's files name what they start. */
const STARTED = /new URL\(["'`]\.[\w./-]*?([\w-]+\.[jt]s)["'`], ?import\.meta\.url\)/g
const PERSON = { username: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }

let tarball: string
beforeAll(async () => {
  tarball = await packCheckout()
}, PATIENCE_MS)

describe.each(['oldest', 'pinned'] as const)('on the %s Node', (which) => {
  let folder: string
  let node: string
  let program: string
  beforeAll(async () => {
    folder = await makeFolder()
    node = await fetchNode(`the ${which} Node`, which)
    program = await installTarball({ folder, tarball, node })
  }, PATIENCE_MS)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('The package, installed in an empty folder without install scripts, serves what the clone serves, on its data, survives a kill, and proves its backups.', async () => {
    const installed = await readdir(join(folder, 'node_modules'))
    expect(installed.filter((name) => !name.startsWith('.')).sort()).toEqual(['@node-rs', 'catenary'])
    const { packages } = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
    expect(Object.keys(packages).filter((path) => packages[path].hasInstallScript)).toEqual([])
    const file = basename(tarball)
    await copyFile(tarball, join(folder, file))
    // npm takes a whole path for a command, not for a package.
    const npx = (command: string) =>
      run('npx', ['--yes', `./${file}`, command], { cwd: folder, env: withNode(node) })
    expect((await npx('--version')).stdout).toMatch(/^\d+\.\d+\.\d+ \([0-9a-f]+\)\n$/)
    expect((await npx('--help')).stdout).toContain('Usage: catenary')
  })

  test('the README’s line starts it as it is written, with data at home and no warning first; those in ./data are taken', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8')
    const [, line = ''] = /^npm run pack\b.*\n(npx .*)$/m.exec(readme) ?? []
    const clone = join(folder, 'clone')
    await mkdir(join(clone, 'dist'), { recursive: true })
    // As a clone has one: npx takes the path from the folder of the nearest.
    await writeFile(join(clone, 'package.json'), '{}')
    await copyFile(tarball, join(clone, 'dist', basename(tarball)))
    const env = { ...withNode(node), HOME: folder, npm_config_yes: 'true' }
    const list = () => run('sh', ['-c', `${line} list-settings`], { cwd: clone, env })
    const { stdout, stderr } = await list()
    expect(stdout).toMatch(/^DATA_DIR +default +~\/\.catenary$/m)
    expect(stderr).not.toContain('ExperimentalWarning')
    await mkdir(join(clone, 'data/database'), { recursive: true })
    expect((await list()).stdout).toMatch(/^DATA_DIR +default +\.\/data$/m)
  })

  test('a person uses it as the journey does', async () => {
    const journey = ['run', '--config', 'e2e/vitest.config.ts', 'user.journey.ts']
    const env = { ...process.env, [OTHER_PROGRAM.file]: program, [OTHER_PROGRAM.node]: node }
    const { stdout } = await run(process.execPath, [tool('vitest'), ...journey], { cwd: root, env })
    expect(stdout).toMatch(/Tests .*\d+ passed/)
  }, 300_000)

  test('what it starts in a thread or a process of its own is packed with it', async () => {
    const lib = dirname(program)
    const packed = await readdir(lib)
    const sources = packed.filter((name) => name.endsWith('.js'))
    const codes = await Promise.all(sources.map((name) => readFile(join(lib, name), 'utf8')))
    const started = codes.flatMap((code) => [...code.matchAll(STARTED)].map(([, file = '']) => file))
    expect(started).toEqual(expect.arrayContaining(['main.js', 'answer-task.js', 'clean-file-task.js']))
    expect(started.filter((file) => file.endsWith('.ts') || !packed.includes(file))).toEqual([])
  })

  test('its backups are proven', async () => {
    const server = await startServer({ program, node, env: { BACKUP_DIR: folder } })
    onTestFinished(server.dispose)
    const api = createApi(server.url)
    await api.post('/api/register', PERSON)
    await api.post('/api/admin/backups')
    await expect
      .poll(async () => (await api.get<BackupsState>('/api/admin/backups')).copies[0]?.drill, {
        timeout: PATIENCE_MS,
      })
      .toMatchObject({ state: 'proven', problem: null })
  })

  test('what speaks to a bus is packed with it', async () => {
    const server = await startServer({
      program,
      node,
      env: {
        DATABASE_URL: await createServerDatabase(),
        SECRET_KEY: 'k'.repeat(32),
        BUS_URL: 'redis://127.0.0.1:1',
      },
    })
    onTestFinished(server.dispose)
    await expect.poll(() => server.logs(), { timeout: 10_000 }).toMatch(/ECONNREFUSED.*the bus can’t be used/)
  })

  test('it creates its database, and keeps what was written through a kill', async () => {
    const server = await startServer({ program, node, isFirstStart: true })
    onTestFinished(server.dispose)
    const api = createApi(server.url)
    await api.post('/api/register', PERSON)
    const id = await writePrompt(api, 'Written before the kill')
    await server.kill()
    await server.restart()
    expect(await api.get(`/api/prompts/${id}`)).toMatchObject({ title: 'Written before the kill' })
    expect((await fetch(server.url)).headers.get('content-type')).toContain('text/html')
    expect(await (await fetch(`${server.url}/api/openapi.json`)).json()).toMatchObject({
      openapi: expect.stringMatching(/^3\./),
    })
  })
})

async function writePrompt(api: Api, title: string): Promise<number> {
  const [category] = await api.get<{ id: number }[]>('/api/categories')
  const prompt = { title, content: 'Say hello to $<name>', categoryId: category?.id }
  return (await api.post<{ id: number }>('/api/prompts', prompt)).id
}
