import { existsSync } from 'node:fs'
import path from 'node:path'
import { type DatabaseFacts, readEmbeddedFacts, readServerFacts } from '../../db/database-facts.ts'
import { DirectoryInUseError } from '../../db/embedded/directory-lock.ts'
import { explainMoved } from '../../db/move/require-not-moved.ts'
import type { Settings } from '../../settings.ts'
import { explainStartFailure } from '../../start-failure.ts'
import { isOwn } from './check-files.ts'
import { type Finding, notAsked, ok, problem, warning } from './finding.ts'

const SLOW_MS = 20
const MEGABYTE = 1_000_000
const EMBEDDED = 'database'

export interface CheckedDatabase {
  findings: Finding[]
  /** Where it was reached. */
  facts?: DatabaseFacts
}

/** Checks the database without changing it. */
export async function checkDatabase(settings: Settings): Promise<CheckedDatabase> {
  const { databaseUrl, dataDir, embeddedFsync } = settings
  try {
    if (databaseUrl !== undefined) return describe(await readServerFacts(databaseUrl), { isServer: true })
    if (!existsSync(path.join(dataDir, EMBEDDED)))
      return { findings: [ok('There is no database yet: the first start makes the embedded one')] }
    if (!isOwn(dataDir))
      return {
        findings: [notAsked(`The embedded database was not opened: ${dataDir} belongs to another user`)],
      }
    return describe(await readEmbeddedFacts({ dataDir, fsync: embeddedFsync }), { isServer: false })
  } catch (error) {
    if (error instanceof DirectoryInUseError)
      return {
        findings: [
          ok(`Catenary runs on the embedded database in ${dataDir}`),
          notAsked('Its version, tables and speed can be asked for while Catenary is stopped'),
        ],
      }
    const why = explainStartFailure(error)
    return { findings: [problem(`It can’t be asked. ${why}`, why)] }
  }
}

function describe(facts: DatabaseFacts, { isServer }: { isServer: boolean }): CheckedDatabase {
  const { version, sizeBytes, latencyMs } = facts
  const kind = isServer ? 'PostgreSQL' : 'The embedded PostgreSQL'
  const size = `${(sizeBytes / MEGABYTE).toFixed(1)} MB`
  const room = isServer ? '; of the room that is free only its own machine knows' : ''
  const answers = `It answers in ${latencyMs.toFixed(1)} ms`
  const findings = [
    ok(`${kind} ${version}`),
    checkEncoding(facts),
    checkTrigrams(facts),
    checkMigrations(facts),
    ...checkMoved(facts),
    ok(`It takes ${size}${room}`),
    latencyMs > SLOW_MS
      ? warning(`${answers}: each page asks several times, so it should be nearer`)
      : ok(answers),
    ...(isServer ? [checkWrites(facts), checkPooler(facts)] : []),
  ]
  return { findings, facts }
}

function checkEncoding({ encoding }: DatabaseFacts): Finding {
  if (encoding === 'UTF8') return ok('Its texts are in UTF-8')
  return problem(
    `Its texts are in ${encoding}, and Catenary’s in UTF-8`,
    `Create a database with "CREATE DATABASE catenary TEMPLATE template0 ENCODING 'UTF8'", and name it in DATABASE_URL.`,
  )
}

function checkTrigrams({ trigrams }: DatabaseFacts): Finding {
  if (trigrams === 'installed') return ok('The extension pg_trgm, which search needs, is there')
  if (trigrams === 'available')
    return ok('The extension pg_trgm, which search needs, can be had: the first start takes it')
  return problem(
    'The extension pg_trgm, which search needs, is not on this server',
    'Have the administrator of PostgreSQL install its contrib modules.',
  )
}

function checkMigrations({ migrations: { applied, missing, unknown } }: DatabaseFacts): Finding {
  if (unknown > 0)
    return problem(
      'The tables belong to a newer Catenary than this one',
      'Start that version, or restore a backup that was made before the upgrade.',
    )
  if (applied === 0) return ok('It is empty: the first start makes the tables')
  if (missing > 0)
    return warning(`The tables are ${missing} steps behind this version: the next start brings them up`)
  return ok('The tables are those of this version')
}

function checkMoved({ moved }: DatabaseFacts): Finding[] {
  if (moved === null) return []
  const { what, todo } = explainMoved(moved)
  return [problem(what, todo)]
}

function checkWrites({ isReadOnly }: DatabaseFacts): Finding {
  if (!isReadOnly) return ok('It takes writes')
  return problem('It only reads, as a standby does', 'Set DATABASE_URL to the server that takes writes.')
}

function checkPooler({ pooler }: DatabaseFacts): Finding {
  if (pooler === 'none') return ok('No pooler stands between')
  if (pooler === 'by session')
    return warning(
      'A pooler stands between, and seems to keep each session for one client',
      'Let DATABASE_URL name PostgreSQL itself: Catenary has a pool of its own.',
    )
  return problem(
    'A pooler stands between that lends one session to several clients, as PgBouncer does in its transaction mode: ' +
      'locks and news between processes, which belong to a session, get lost there',
    'Let DATABASE_URL name PostgreSQL itself: Catenary has a pool of its own.',
  )
}
