import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { type DatabaseClient, openDatabase } from '../apps/server/src/database/open/client.ts'
import { migrate } from '../apps/server/src/database/open/migrate.ts'
import { createDataDirectory } from '../apps/server/src/testing/database.ts'
import { startLibrary } from '../apps/server/src/testing/library.ts'
import { type MailServer, startMailServer, toSmtpUrl } from '../apps/server/src/testing/mail-server.ts'
import { RECURRING_QUEUES } from '../apps/server/src/testing/recurring-jobs.ts'
import { TEST_CERTIFICATE } from '../apps/server/src/testing/test-certificate.ts'
import { createRandom } from './harness/chain-load.ts'
import { startPostgres } from './harness/postgres.ts'

const WORKLOAD = fileURLToPath(
  new URL('../apps/server/src/testing/durability/schedule-workload.ts', import.meta.url),
)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
/** Continues an interrupted run of several minutes. */
const FIRST_STATEMENT = Number(process.env.FIRST_STATEMENT ?? 1)
const KILLS = 20
const RESTARTS = 8
const SCHEDULES = 60
/** From due to mailed a program sends more than so many to its database. */
const MIN_STATEMENTS = 40

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Prepared {
  env: NodeJS.ProcessEnv
  dataDir: string
  databaseUrl: string | undefined
  mail: MailServer
  dueTimes: Date[]
}

interface Wanted {
  count: number
  firstInMs: number
  /** The URL of a PostgreSQL; absent: the embedded database. */
  databaseUrl?: string
}

/** A chain of two steps, and schedules a second apart, each with a recipient of its own. */
async function prepare({ count, firstInMs, databaseUrl }: Wanted): Promise<Prepared> {
  const dataDir = await createDataDirectory()
  const work = mkdtempSync(path.join(path.dirname(dataDir), 'schedules-'))
  const mail = await startMailServer()
  closing.push(async () => {
    await mail.close()
    for (const directory of [dataDir, work]) rmSync(directory, { recursive: true, force: true })
  })
  const certificate = path.join(work, 'certificate.pem')
  writeFileSync(certificate, TEST_CERTIFICATE.cert)
  const client = await openDatabase({ dataDir, databaseUrl, fsync: false })
  if (databaseUrl !== undefined) await migrate({ database: client })
  const library = await startLibrary(databaseUrl === undefined ? 'embedded' : 'server', {
    database: { client },
  })
  const { id } = await library.createChain(library.owner)
  for (const position of [0, 1]) await library.createStep(library.owner, id, { position })
  const first = Date.now() + firstInMs
  const dueTimes = Array.from({ length: count }, (_, index) => new Date(first + index * 1_000))
  for (const [index, dueAt] of dueTimes.entries()) {
    const body = { scheduledTime: dueAt.toISOString(), emailRecipients: [`s${index}@example.com`] }
    const made = await library.request({
      ...{ method: 'POST', url: `/api/chains/${id}/schedule`, body, as: library.owner },
    })
    expect(made.status, made.text).toBe(201)
  }
  await library.close()
  await client.close()
  const env = {
    ...{
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      NODE_EXTRA_CA_CERTS: certificate,
      LOG_LEVEL: 'silent',
    },
    ...{ SMTP_URL: toSmtpUrl(mail), MAIL_FROM: 'catenary@example.org', MAIL_RECIPIENTS: 'any' },
  }
  return { env, dataDir, databaseUrl, mail, dueTimes }
}

async function open(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [WORKLOAD], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  closing.push(() => child.kill('SIGKILL'))
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  return child
}

const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

async function kill(child: ChildProcess): Promise<void> {
  if (!isAlive(child)) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Lets a program go on until nothing is left to do; gives what it stored. */
async function settle({ env, dataDir, databaseUrl }: Prepared) {
  const child = await open({ ...env, UNTIL_DONE: 'on' })
  if (isAlive(child)) await once(child, 'exit')
  expect(child.exitCode).toBe(0)
  const client = await openDatabase({ dataDir, databaseUrl, fsync: false })
  const stored = await readStored(client)
  await client.close()
  return stored
}

async function readStored({ pool }: DatabaseClient) {
  const { rows } = await pool.query<{ state: string; due_at: Date }>(
    'select state, due_at from scheduled_occurrences order by due_at',
  )
  const count = async (from: string) =>
    Number((await pool.query<{ count: string }>(`select count(*) from ${from}`)).rows[0]?.count)
  return {
    occurrences: rows.map(({ state, due_at }) => [state, due_at.getTime()]),
    runs: await count('executions'),
    steps: await count(`execution_steps where status = 'completed'`),
    sent: await count(`mail_recipients where status = 'sent'`),
    jobs: await count(`jobs where queue not in (${RECURRING_QUEUES})`),
  }
}

function expectAll({ dueTimes }: Prepared, stored: Awaited<ReturnType<typeof readStored>>): void {
  const many = dueTimes.length
  expect(stored).toEqual({
    occurrences: dueTimes.map((dueAt) => ['completed', dueAt.getTime()]),
    ...{ runs: many, steps: 2 * many, sent: many, jobs: 0 },
  })
}

test('a program that is killed twenty times starts each occurrence once and mails each result', async () => {
  const prepared = await prepare({ count: SCHEDULES, firstInMs: 4_000 })
  const random = createRandom(SEED)
  for (let kills = 0; kills < KILLS; kills += 1) {
    const child = await open(prepared.env)
    await sleep(200 + random() * 2_000)
    await kill(child)
  }
  const stored = await settle(prepared)
  const doubled = prepared.mail.mails.length - SCHEDULES
  console.log(`seed ${SEED}: ${SCHEDULES} occurrences, ${KILLS} kills, ${doubled} mails sent twice`)
  expectAll(prepared, stored)
  // A kill between the server's 250 and our commit is the only way.
  expect(doubled).toBeLessThanOrEqual(KILLS)
}, 600_000)

test('No mail goes out twice, except after a crash between the server’s 250 and our commit.', async () => {
  let [statement, doubled, isDone] = [FIRST_STATEMENT, 0, false]
  for (; !isDone; statement += 1) {
    const prepared = await prepare({ count: 1, firstInMs: 1_500 })
    const { env, mail, dueTimes } = prepared
    const dying = { DIE_AT: String(statement), DIE_FROM: dueTimes[0]?.toISOString(), UNTIL_DONE: 'on' }
    const child = await open({ ...env, ...dying })
    if (isAlive(child)) await once(child, 'exit')
    isDone = child.exitCode === 0
    expectAll(prepared, await settle(prepared))
    doubled += mail.mails.length - 1
    for (const close of closing.splice(0).reverse()) await close()
  }
  console.log(`died at each of ${statement - 2} statements, ${doubled} mails sent twice`)
  expect(statement).toBeGreaterThan(MIN_STATEMENTS)
  // Between the server's 250 and our commit.
  expect(doubled).toBeLessThanOrEqual(2)
}, 3_600_000)

test('a PostgreSQL that is restarted at once under two programs costs no occurrence and doubles none', async () => {
  const postgres = await startPostgres()
  closing.push(postgres.close)
  const prepared = await prepare({ count: SCHEDULES, firstInMs: 4_000, databaseUrl: postgres.url })
  const random = createRandom(SEED)
  const programs = [await open(prepared.env), await open(prepared.env)]
  for (let restarts = 0; restarts < RESTARTS; restarts += 1) {
    await sleep(2_000 + random() * 6_000)
    await postgres.restartImmediately()
  }
  expect(programs.every(isAlive)).toBe(true)
  await sleep(Math.max(0, (prepared.dueTimes.at(-1)?.getTime() ?? 0) - Date.now()))
  const stored = await settle(prepared)
  const doubled = prepared.mail.mails.length - SCHEDULES
  console.log(`seed ${SEED}: ${SCHEDULES} occurrences, ${RESTARTS} restarts, ${doubled} mails sent twice`)
  expectAll(prepared, stored)
  expect(doubled).toBeLessThanOrEqual(RESTARTS)
}, 600_000)
