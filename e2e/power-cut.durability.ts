import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Prompt } from '@catenary/contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../apps/server/src/database/open/client.ts'
import { openJournal, readJournal } from '../apps/server/src/testing/durability/journal.ts'
import {
  cutPower,
  type Recording,
  seededRandom,
  startRecording,
} from '../apps/server/src/testing/durability/power-cut.ts'
import { createApi } from './harness/api.ts'
import { seedAccount } from './harness/seed.ts'
import { startServer } from './harness/server.ts'

const CUTS = 20
const WRITERS = 4
const PROMPTS_EACH = 50
const SEED = 20_261_121
const TIMEOUT_MS = 240_000

let work: string
beforeEach(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'catenary-power-'))
})
afterEach(() => rm(work, { recursive: true, force: true }))

/** Writes prompts through the program while what reaches its disk is journalled, beside each 2xx that a client got. */
async function recordWrites({ fsync }: { fsync: 'on' | 'off' }): Promise<Recording> {
  const dataDir = path.join(work, 'data')
  await mkdir(dataDir)
  const first = await startServer({ dataDir })
  const account = createApi(first.url)
  await account.post('/api/register', seedAccount)
  await first.stop()

  const recording = startRecording({ root: dataDir, work })
  const env = { ...recording.env, NODE_OPTIONS: `--import=${recording.preload}`, EMBEDDED_FSYNC: fsync }
  const server = await startServer({ dataDir, env })
  const api = createApi(server.url)
  const { username, password } = seedAccount
  await api.post('/api/login', { username, password })
  const journal = openJournal(recording.journal)
  const write = async (writer: number) => {
    for (let round = 0; round < PROMPTS_EACH; round += 1) {
      const prompt = {
        title: `${writer}`,
        content: `${writer} ${round} ${'x'.repeat(round * 20)}`,
        categoryId: 1,
      }
      const { id } = await api.post<Prompt>('/api/prompts', prompt)
      journal.append({ op: 'acknowledge', value: id })
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  journal.close()
  await server.kill()
  return recording
}

/** Cuts the power at random moments; for each cut, how many prompts had been acknowledged and how many are gone. */
async function cut({ recording, cuts }: { recording: Recording; cuts: number }) {
  const records = readJournal(recording.journal)
  const first = records.findIndex(({ op }) => op === 'acknowledge')
  const random = seededRandom(SEED)
  const outcomes: { acknowledged: number; lost: number }[] = []
  for (let index = 0; index < cuts; index += 1) {
    const image = path.join(work, `image-${index}`)
    const at = first + 1 + Math.floor(random() * (records.length - first))
    const { acknowledged } = cutPower({ recording, records: records.slice(0, at), random, image })
    const stored = await readPromptIds(image)
    outcomes.push({
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((id) => !stored.has(id)).length,
    })
    await rm(image, { recursive: true, force: true })
  }
  return outcomes
}

/** None when the database no longer opens. */
async function readPromptIds(dataDir: string): Promise<Set<number>> {
  const database = await openDatabase({ dataDir, fsync: false }).catch(() => undefined)
  if (database === undefined) return new Set()
  const rows = await database.pool.query<{ id: number }>('select id from prompts').then(
    (result) => result.rows,
    () => [],
  )
  await database.close()
  return new Set(rows.map(({ id }) => id))
}

test(`after ${CUTS} power cuts while prompts are written, what was answered 2xx is there`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const outcomes = await cut({ recording: await recordWrites({ fsync: 'on' }), cuts: CUTS })
  expect(outcomes.filter(({ lost }) => lost > 0)).toEqual([])
  expect(Math.max(...outcomes.map(({ acknowledged }) => acknowledged))).toBeGreaterThan(CUTS)
})

test('with EMBEDDED_FSYNC=off the same cuts lose prompts', { timeout: TIMEOUT_MS }, async () => {
  const outcomes = await cut({ recording: await recordWrites({ fsync: 'off' }), cuts: CUTS / 4 })
  expect(outcomes.some(({ lost }) => lost > 0)).toBe(true)
})
