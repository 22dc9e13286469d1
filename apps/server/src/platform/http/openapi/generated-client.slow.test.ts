import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../../testing/harness.ts'

const run = promisify(execFile)
const tsc = join(import.meta.dirname, '../../../../../../node_modules/typescript-7/bin/tsc')
const FLAGS =
  '--ignoreConfig --noEmit --strict --module nodenext --target es2024 --lib es2024,dom,dom.iterable --allowImportingTsExtensions'

/** What somebody writes with it: what a reply has is typed, and what it has not is no property. */
const USE = `
import { createClient } from './client/client/index.ts'
import { getPromptsById, postPrompts } from './client/index.ts'

export async function makePrompt(baseUrl: string, headers: Record<string, string>): Promise<[string, string]> {
  const client = createClient({ baseUrl, headers })
  const body = { title: 'Made by a generated client', content: 'Tell me about $<topic>.', categoryId: 1 }
  const made = await postPrompts({ client, body })
  if (made.data === undefined) throw new Error(JSON.stringify(made.error))
  const read = await getPromptsById({ client, path: { id: made.data.id } })
  const title: string = read.data?.title ?? ''
  // @ts-expect-error
  void read.data?.noSuchField
  return [title, String(read.response?.status)]
}
`

test('a client that a tool of others made of the document compiles, and reads and writes a prompt', async () => {
  const app = await startApp()
  const folder = await mkdtemp(join(tmpdir(), 'catenary-client-'))
  onTestFinished(async () => {
    await app.close()
    await rm(folder, { recursive: true, force: true })
  })
  const { body: input } = await app.request({ url: '/api/openapi.json' })
  await createClient({
    input: input as Record<string, unknown>,
    output: { path: join(folder, 'client'), module: { extension: '.ts' } },
    logs: { level: 'silent', file: false },
  })
  const file = join(folder, 'use.ts')
  await writeFile(file, USE)
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await run(process.execPath, [tsc, ...FLAGS.split(' '), file], { cwd: folder }).catch(
    ({ stdout }: { stdout: string }) => expect(stdout).toBe(''),
  )

  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  const user = await app.registerUser()
  const { makePrompt } = (await import(file)) as {
    makePrompt: (url: string, headers: object) => Promise<[string, string]>
  }
  const made = await makePrompt(`http://127.0.0.1:${port}`, user.headers)
  expect(made).toEqual(['Made by a generated client', '200'])
})
