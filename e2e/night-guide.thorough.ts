import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AdminNotices, Prompt } from '@catenary/contracts'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { createApi } from './harness/api.ts'
import { runCommand } from './harness/command.ts'
import { seedAccount } from './harness/seed.ts'
import { main, startServer } from './harness/server.ts'

const PAGE = join(import.meta.dirname, '../docs/guide/at-night.md')
const PATIENCE_MS = 600_000
const READY = { timeout: 120_000, interval: 100 }
const START = /npm run catenary -- start\b/

interface Line {
  /** Of the part in which it stands. */
  heading: string
  command: string
}

/** Every line of the page's blocks, in order. */
function readLines(markdown: string): Line[] {
  return markdown.split(/^## /m).flatMap((part) => {
    const heading = part.split('\n', 1)[0] ?? ''
    const blocks = [...part.matchAll(/^```sh\n(.*?)^```$/gms)]
    return blocks.flatMap(([, block = '']) =>
      block
        .trim()
        .split('\n')
        .map((command) => ({ heading, command })),
    )
  })
}

/** A copy and its key, of a program that was lost. */
async function loseMachine(folder: string): Promise<void> {
  const server = await startServer()
  try {
    const api = createApi(server.url)
    await api.post('/api/register', seedAccount)
    await api.post('/api/prompts', { title: 'Precious', content: 'Kept', categoryId: 1 })
    const made = await runCommand(['backup', join(folder, 'last.catenary')], { dataDir: server.dataDir })
    expect(made).toMatchObject({ code: 0, err: '' })
    await cp(join(server.dataDir, 'secret.key'), join(folder, 'secret.key'))
  } finally {
    await server.dispose()
  }
}

/** A folder in which `npm run catenary --` is this checkout's program. */
async function makeClone() {
  const folder = await mkdtemp(join(tmpdir(), 'catenary-night-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const npm = `#!/bin/sh\nshift 3\nexec '${process.execPath}' '${main}' "$@"\n`
  await writeFile(join(bin, 'npm'), npm)
  await chmod(join(bin, 'npm'), 0o755)
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH: `${bin}:${PATH}`, HOME, PORT: String(port) }
  const url = `http://127.0.0.1:${port}`
  const launch = (command: string) => {
    const child = spawn('bash', ['-c', command], { cwd: folder, env, detached: true })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    let isRunning = true
    const closed = once(child, 'close').then(() => {
      isRunning = false
    })
    const end = (signal: NodeJS.Signals) => {
      if (child.pid !== undefined && isRunning) process.kill(-child.pid, signal)
    }
    onTestFinished(() => end('SIGKILL'))
    return { said: () => ({ code: child.exitCode, out, err }), closed, end }
  }
  return {
    folder,
    type: async (command: string) => {
      const { said, closed } = launch(command)
      await closed
      return said()
    },
    /** Types a line that serves, until `use` has ended. */
    serve: async (command: string, use: (url: string) => Promise<void>) => {
      const { said, closed, end } = launch(command)
      const isReady = async () => {
        expect(said().code, said().err).toBe(null)
        return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok
      }
      await expect.poll(isReady, READY).toBe(true)
      await use(url)
      end('SIGTERM')
      await closed
    },
  }
}

/** What was written is there, and it is quiet or not. */
async function lookAround(url: string, { isQuiet }: { isQuiet: boolean }): Promise<void> {
  const api = createApi(url)
  await api.post('/api/login', { username: seedAccount.username, password: seedAccount.password })
  expect((await api.get<Prompt[]>('/api/prompts')).map(({ content }) => content)).toContain('Kept')
  expect((await api.get<AdminNotices>('/api/admin/notices')).quiet !== null).toBe(isQuiet)
}

test(
  'Each line of the guide for the night does what it says: a dead machine, an upgrade gone wrong, a lost key.',
  async () => {
    const lines = readLines(await readFile(PAGE, 'utf8'))
    expect(lines.length).toBeGreaterThan(12)
    const { folder, type, serve } = await makeClone()
    await loseMachine(folder)
    let part = ''
    for (const { heading, command } of lines) {
      if (heading !== part && heading === 'An upgrade went wrong') {
        // As the upgrade leaves it.
        await mkdir(join(folder, 'data/backups'), { recursive: true })
        await cp(join(folder, 'last.catenary'), join(folder, 'data/backups/before-migration-1.catenary'))
      }
      part = heading
      if (START.test(command)) {
        const isQuiet = heading === 'The machine died' && !command.includes('--resume-work')
        await serve(command, (url) => lookAround(url, { isQuiet }))
        continue
      }
      const { code, out, err } = await type(command)
      // It ends with 1 where it has something to say, such as of the machine of a test.
      if (command.endsWith('doctor')) expect(out, err).toContain('Database\n  ok')
      else expect({ command, code, err }).toEqual({ command, code: 0, err: '' })
      if (command.includes('verify') && heading === 'Wrong key') expect(out).toContain('is the one set here')
      if (command.includes('rehearse')) expect(out).toContain('Your data was not changed')
    }
  },
  PATIENCE_MS,
)
