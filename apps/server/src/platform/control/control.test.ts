import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartError } from '../../errors.ts'
import { createLog } from '../log/log.ts'
import { askControl } from './ask-control.ts'
import { type ControlTask, serveControl } from './serve-control.ts'

let dataDir: string
let control: Awaited<ReturnType<typeof serveControl>>
beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'catenary-control-'))
  // What a process that was killed leaves.
  writeFileSync(socket(), '')
  control = await serve(dataDir)
})
afterEach(async () => {
  await control.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const socket = () => path.join(dataDir, 'control.sock')
const ask = (command: string, options = {}) => askControl({ dataDir, command, options })

async function* broken() {
  yield 'the beginning'
  throw new Error('the disk failed')
}

const tasks: Record<string, ControlTask> = {
  echo: (request, send) => send(Readable.from([`asked: ${JSON.stringify(request)}`])),
  refuse: async () => {
    throw new StartError('It is not possible now.')
  },
  break: (_request, send) => send(Readable.from(broken())),
}

const serve = (directory: string) =>
  serveControl({
    dataDir: directory,
    tasks,
    explain: (error) => (error instanceof Error ? error.message : ''),
    log: createLog({ level: 'silent' }),
  })

test('Beside a running program the command asks it through a socket that only its owner opens; one left by a kill is replaced.', async () => {
  expect(statSync(socket()).mode & 0o777).toBe(0o600)
  expect(await text(await ask('echo', { a: 1 }))).toBe('asked: {"a":1}')
})

test('it gets one line where that fails, and an error where it fails half-way', async () => {
  await expect(ask('refuse')).rejects.toThrow(new StartError('It is not possible now.'))
  await expect(ask('other')).rejects.toThrow('This version of Catenary has no command other')
  await expect(text(await ask('break'))).rejects.toThrow()
})

test('nothing is left when the program has closed, and who asks then is told so', async () => {
  await control.close()
  expect(existsSync(socket())).toBe(false)
  await expect(ask('echo')).rejects.toThrow(/does not answer at .*control\.sock: it is starting or stopping/)
})

test('a data directory with too long a name for a socket is served without', async () => {
  const long = path.join(dataDir, 'x'.repeat(100))
  mkdirSync(long)
  const { close } = await serve(long)
  await expect(askControl({ dataDir: long, command: 'echo', options: {} })).rejects.toThrow(
    /is too long a path/,
  )
  await close()
})
