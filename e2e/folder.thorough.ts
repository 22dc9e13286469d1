import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderExamples } from '@catenary/domain'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { zipOf } from '../apps/server/src/features/exports/testing/open-export.ts'
import { type Api, createApi } from './harness/api.ts'
import { runCommand } from './harness/command.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const TIMEOUT_MS = 240_000
const PATH = 'prompts/refund-reply.md'

interface Listed {
  id: number
  version: number
  slug: string
}

let server: RunningServer
let api: Api
let token: string
let prompt: Listed
let at: string
beforeAll(async () => {
  server = await startServer()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  const [category] = await api.get<{ id: number }[]>('/api/categories')
  const fields = {
    title: 'Refund reply',
    content: 'Answer kindly.',
    categoryId: category?.id,
    model: 'claude',
  }
  prompt = await api.post<Listed>('/api/prompts', fields)
  const suite = await api.post<{ id: number }>(`/api/prompts/${prompt.id}/test-suites`, { name: 'Tone' })
  await api.post(`/api/test-suites/${suite.id}/cases`, {
    name: 'Answers <at all> & "more"',
    assertions: [{ type: 'icontains', value: 'sandbox' }],
  })
  await api.post(`/api/test-suites/${suite.id}/cases`, {
    name: 'Never said',
    assertions: [{ type: 'icontains', value: 'xyzzy' }],
  })
  const made = await api.post<{ token: string }>('/api/folder-tokens', {
    name: 'CI',
    mayWrite: true,
    mayEvaluate: true,
  })
  token = made.token
}, TIMEOUT_MS)
beforeEach(async () => {
  at = await mkdtemp(join(tmpdir(), 'catenary-folder-'))
  return () => rm(at, { recursive: true })
})
afterAll(() => server?.dispose())

const run = (args: string[], env: Record<string, string> = {}) =>
  runCommand(args, { dataDir: at, env: { CATENARY_URL: server.url, CATENARY_TOKEN: token, ...env } })
const read = (path: string) => readFile(join(at, path), 'utf8')
const edit = async (path: string, from: string, to: string) => {
  const text = await read(path)
  expect(text).toContain(from)
  await writeFile(join(at, path), text.replace(from, to))
}
const current = async () => api.get<Listed & { content: string }>(`/api/prompts/${prompt.id}`)

test(
  '`pull` overwrites nothing that was changed on both sides; with `--merge` both stand there between marks; `diff --check` ends with 1 where there is a difference.',
  async () => {
    const pulled = await run(['pull', 'folder'])
    expect(pulled).toMatchObject({ code: 0, err: '' })
    expect(pulled.out).toContain('latest: 2 written, 0 unchanged.')
    expect(await read(`folder/${PATH}`)).toContain('\n\nAnswer kindly.\n')
    expect(await read('folder/catenary.lock')).toMatch(/^[0-9a-f]{64} {2}prompts\/refund-reply\.md$/m)
    expect(await run(['diff', 'folder', '--check'])).toMatchObject({ code: 0 })
    expect(await run(['pull', 'folder'])).toMatchObject({
      code: 0,
      out: 'latest: 0 written, 2 unchanged.\n',
    })

    await edit(`folder/${PATH}`, 'Answer kindly.', 'Answer kindly and briefly.')
    const differs = await run(['diff', 'folder', '--check'])
    expect(differs).toMatchObject({ code: 1 })
    expect(differs.out).toContain('- Answer kindly.\n  + Answer kindly and briefly.')
    expect(await run(['diff', 'folder'])).toMatchObject({ code: 0 })
    expect((await run(['push', 'folder', '--dry-run'])).out).toContain(
      'Would push: 0 new, 1 with a new version',
    )
    expect(await current()).toMatchObject({ version: 1 })
    const pushed = await run(['push', 'folder', '--label', 'candidate', '-m', 'Shorter'])
    expect(pushed).toMatchObject({ code: 0, err: '' })
    expect(await current()).toMatchObject({ version: 2, content: 'Answer kindly and briefly.' })
    expect(await run(['push', 'folder'])).toMatchObject({ code: 0, out: 'Nothing to push.\n' })
    expect(await run(['diff', 'folder', '--check', '--label', 'candidate'])).toMatchObject({ code: 0 })
    expect(await run(['diff', 'folder', '--check', '--label', 'production'])).toMatchObject({ code: 1 })

    const { id } = await current()
    const [category] = await api.get<{ id: number }[]>('/api/categories')
    const web = { title: 'Refund reply', content: 'Changed at the server.', categoryId: category?.id }
    await api.call('PUT', `/api/prompts/${id}`, web)
    await edit(`folder/${PATH}`, 'briefly', 'in one line')
    const refused = await run(['push', 'folder'])
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.out).toContain('Nothing was pushed: 1 changed on the server too.')
    expect(refused.out).toContain('- Changed at the server.')
    expect(await current()).toMatchObject({ version: 3 })
    const kept = await run(['pull', 'folder'])
    expect(kept).toMatchObject({ code: 1 })
    const told =
      'Changed in the folder and on the server, left as they are: pull with --merge to get both in the file'
    expect(kept.out).toContain(`${told}:\n  ${PATH}`)
    expect(await read(`folder/${PATH}`)).toContain('in one line')

    const merged = await run(['pull', 'folder', '--merge'])
    expect(merged).toMatchObject({ code: 1 })
    expect(await read(`folder/${PATH}`)).toContain(
      '<<<<<<< folder\nAnswer kindly and in one line.\n=======\nChanged at the server.\n>>>>>>> server\n',
    )
    expect(await run(['push', 'folder'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('has both sides of a merge in it'),
    })
    const both =
      '<<<<<<< folder\nAnswer kindly and in one line.\n=======\nChanged at the server.\n>>>>>>> server'
    await edit(`folder/${PATH}`, both, 'Answer kindly, as changed at the server.')
    expect(await run(['push', 'folder'])).toMatchObject({ code: 0, err: '' })
    expect(await current()).toMatchObject({ version: 4, content: 'Answer kindly, as changed at the server.' })
    expect(await run(['diff', 'folder', '--check'])).toMatchObject({ code: 0 })
  },
  TIMEOUT_MS,
)

test(
  'the commands that Connect shows are understood as they stand',
  async () => {
    const shown = folderExamples({ address: server.url }).flatMap(({ code }) => code.split('\n'))
    const lines = shown.filter((line) => line.startsWith('catenary '))
    expect(lines).toHaveLength(4)
    for (const line of lines) {
      const { code, err } = await run(line.split(' ').slice(1))
      expect([line, code === 0 || code === 1, err]).toEqual([line, true, ''])
    }
  },
  TIMEOUT_MS,
)

test(
  '`evaluate` ends with 1 unless the suite passed, and writes JUnit.',
  async () => {
    await api.call('PUT', `/api/prompts/${prompt.id}/labels/candidate`, { version: 1, expectedVersion: 2 })
    const failed = await run([
      'evaluate',
      '--suite',
      'refund-reply/tone',
      '--label',
      'candidate',
      '--junit',
      'out.xml',
    ])
    expect(failed).toMatchObject({ code: 1, err: '' })
    expect(failed.out).toContain('Refund reply, version 1 (candidate), Tone: not passed.')
    expect(failed.out).toContain('1 of 2 passed')
    const xml = await read('out.xml')
    expect(xml).toContain('<testsuite name="Tone" tests="2" failures="1" errors="0" skipped="0"')
    expect(xml).toContain('name="Answers &lt;at all&gt; &amp; &quot;more&quot;"')
    const suites = await api.get<{ id: number }[]>(`/api/prompts/${prompt.id}/test-suites`)
    const cases = await api.get<{ id: number; name: string }[]>(`/api/test-suites/${suites[0]?.id}/cases`)
    const never = cases.find(({ name }) => name === 'Never said')
    await api.call('DELETE', `/api/test-suites/${suites[0]?.id}/cases/${never?.id}`)
    const passed = await run([
      'evaluate',
      '--suite',
      'suites/prompts/refund-reply/tone.yaml',
      '--label',
      'latest',
    ])
    expect(passed).toMatchObject({ code: 0, err: '' })
    expect(passed.out).toContain('1 of 1 passed')
  },
  TIMEOUT_MS,
)

test(
  'Each command of the example workflow runs.',
  async () => {
    const file = new URL('../deploy/github/prompts.yml', import.meta.url)
    const workflow = await readFile(file, 'utf8')
    const commands = [...workflow.matchAll(/^\s+run: (catenary .+)$/gm)].map(([, line = '']) => line)
    expect(commands.length).toBe(4)
    await run(['pull', 'prompts-folder'])
    await run(['pull', 'before/prompts-folder'])
    await edit(`prompts-folder/${PATH}`, 'catenary: prompt', 'catenary: prompt\ntags: [pushed]')
    for (const line of commands) {
      const args = line
        .replaceAll('../before', 'before')
        .replaceAll(/\$\{\{ github\.sha \}\}/g, 'abc')
        .match(/"[^"]*"|\S+/g)
        ?.slice(1)
        .map((word) => word.replaceAll('"', ''))
      const { code, out, err } = await run(args ?? [])
      expect(err, line).toBe('')
      // Nobody moved `production` to what was pushed.
      expect(code, `${line}\n${out}`).toBe(line.includes('--label production') ? 1 : 0)
    }
  },
  TIMEOUT_MS,
)

test(
  'Links are not followed, and nothing that a server sends is written outside the folder.',
  async () => {
    await mkdir(join(at, 'folder/prompts'), { recursive: true })
    await writeFile(join(at, 'secret.md'), 'secret')
    await symlink(join(at, 'secret.md'), join(at, 'folder/prompts/link.md'))
    expect(await run(['push', 'folder'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('prompts/link.md is a link'),
    })
    await rm(join(at, 'folder/prompts/link.md'))
    await symlink(at, join(at, 'folder/chains'))
    expect(await run(['push', 'folder'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('chains is a link'),
    })
    await rm(join(at, 'folder/chains'))
    await writeFile(join(at, 'folder/prompts/A file.md'), 'x')
    expect(await run(['push', 'folder'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('doesn’t belong in a folder'),
    })
    await rm(join(at, 'folder/prompts/A file.md'))
    const bomb = `---\ncatenary: prompt\ntitle: A\nx: &x [1]\ny: [${'*x,'.repeat(200)}]\n---\n\nText\n`
    await writeFile(join(at, 'folder/prompts/bomb.md'), bomb)
    const bombed = await run(['push', 'folder'])
    expect(bombed).toMatchObject({ code: 1, err: expect.stringMatching(/^prompts\/bomb\.md: /) })

    for (const path of [
      '../outside.md',
      'prompts/../../outside.md',
      '/tmp/outside.md',
      'prompts/a/b.md',
      '.git/hooks/post-merge',
    ]) {
      const bytes = await zipOf({ [path]: 'x' })
      const hostile = createServer((_, reply) => reply.end(bytes)).listen(0, '127.0.0.1')
      await new Promise((resolve) => hostile.once('listening', resolve))
      const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`
      const pulled = await run(['pull', 'pulled', '--url', url])
      hostile.close()
      expect(pulled, path).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringMatching(/doesn’t belong in a folder|a readable zip file/),
      })
    }
  },
  TIMEOUT_MS,
)

test(
  'it says what is missing: server, token, right, suite',
  async () => {
    expect(await run(['pull'], { CATENARY_URL: '' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('set CATENARY_URL'),
    })
    expect(await run(['pull'], { CATENARY_TOKEN: '' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('Set CATENARY_TOKEN'),
    })
    expect(await run(['pull'], { CATENARY_TOKEN: 'ctf_x' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('This token is not valid'),
    })
    expect(await run(['pull', '--url', 'http://127.0.0.1:9'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('can’t be reached'),
    })
    expect(await run(['evaluate', '--suite', 'nowhere/tone'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('You have no test suite nowhere/tone'),
    })
    expect(await run(['push', 'nowhere'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/The folder .* doesn’t exist/),
    })
    expect(await run(['evaluate'])).toMatchObject({ code: 2 })
  },
  TIMEOUT_MS,
)
