import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from './harness/api.ts'
import { main, type RunningServer, startServer } from './harness/server.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const PERSON = { username: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }

let folder: string
let program: string
let server: RunningServer | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catenary-package-'))
  await run(process.execPath, [join(root, 'scripts/pack.mjs')], { cwd: root })
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await writeFile(join(folder, 'package.json'), '{}')
  const tarball = join(root, 'dist', `catenary-${version}.tgz`)
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball], { cwd: folder })
  program = join(folder, 'node_modules/catenary/lib/server/main.js')
}, 300_000)
afterAll(async () => {
  await server?.dispose()
  await rm(folder, { recursive: true, force: true })
})

test('the tarball needs no install script and brings what can’t be bundled alone', async () => {
  const installed = await readdir(join(folder, 'node_modules'))
  expect(installed.filter((name) => !name.startsWith('.')).sort()).toEqual(['@node-rs', 'catenary'])
  const { stdout } = await run(process.execPath, [program, '--version'])
  expect(stdout).toMatch(/^\d+\.\d+\.\d+ \([0-9a-f]+\)\n$/)
})

test('installed in an empty folder it serves all that the clone serves, outlives a kill, and takes the clone’s data over', async () => {
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const clone = await startServer({ dataDir, isFirstStart: true, program: main })
  const before = createApi(clone.url)
  await before.post('/api/register', PERSON)
  const [category] = await before.get<{ id: number }[]>('/api/categories')
  const prompt = (title: string) => ({ title, content: 'Say hello to $<name>', categoryId: category?.id })
  const { id } = await before.post<{ id: number }>('/api/prompts', prompt('Kept'))
  await clone.dispose()

  server = await startServer({ dataDir, program })
  const api = createApi(server.url)
  await api.post('/api/login', { username: PERSON.username, password: PERSON.password })
  expect(await api.get(`/api/prompts/${id}`)).toMatchObject({ title: 'Kept' })
  expect((await fetch(server.url)).headers.get('content-type')).toContain('text/html')
  expect(await (await fetch(`${server.url}/api/openapi.json`)).json()).toMatchObject({
    openapi: expect.stringMatching(/^3\./),
  })

  const created = await api.post<{ id: number }>('/api/prompts', prompt('Written before the kill'))
  await server.kill()
  await server.restart()
  expect(await api.get(`/api/prompts/${created.id}`)).toMatchObject({ title: 'Written before the kill' })
})
