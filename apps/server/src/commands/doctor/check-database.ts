import { existsSync } from 'node:fs'
import path from 'node:path'
import { DirectoryInUseError } from '../../database/embedded/directory-lock.ts'
import {
  type DatabaseFacts,
  readEmbeddedFacts,
  readServerFacts,
  type ServerFacts,
} from '../../database/open/database-facts.ts'
import { explainMissing } from '../../database/server/notification-proof.ts'
import type { Pooler } from '../../database/server/pooler.ts'
import type { Tls } from '../../database/server/server-address.ts'
import {
  judgeConnections,
  judgeEncoding,
  judgeLimit,
  judgeRights,
  judgeSchema,
  judgeSession,
  judgeTrigrams,
  type Trouble,
} from '../../database/server/server-troubles.ts'
import { STATEMENT_LIMIT_MS } from '../../database/statements/long-statements.ts'
import { explainActivity } from '../../keeping/activity/explain-activity.ts'
import { explainMoved } from '../../keeping/move/require-not-moved.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { explainStartFailure } from '../../platform/start-failure.ts'
import { isOwn } from './check-files.ts'
import { type Finding, notAsked, ok, problem, warning } from './finding.ts'

const SLOW_MS = 20
const MEGABYTE = 1_000_000
const EMBEDDED = 'database'

export interface CheckedDatabase {
  findings: Finding[]
  facts?: DatabaseFacts
}

export async function checkDatabase(settings: Settings): Promise<CheckedDatabase> {
  const { databaseUrl, databaseDirectUrl, dataDir, embeddedFsync } = settings
  try {
    if (databaseUrl !== undefined)
      return describe(await readServerFacts({ databaseUrl, databaseDirectUrl }), settings)
    if (!existsSync(path.join(dataDir, EMBEDDED)))
      return { findings: [ok('There is no database yet: the first start creates the embedded one')] }
    if (!isOwn(dataDir))
      return {
        findings: [notAsked(`The embedded database was not opened: ${dataDir} belongs to another user`)],
      }
    return describe(await readEmbeddedFacts({ dataDir, fsync: embeddedFsync }), settings)
  } catch (error) {
    if (error instanceof DirectoryInUseError)
      return {
        findings: [
          ok(`Catenary runs on the embedded database in ${dataDir}`),
          notAsked('Its version, tables and speed can be checked while Catenary is stopped'),
        ],
      }
    const why = explainStartFailure(error)
    return { findings: [problem(`It can’t be reached. ${why}`, why)] }
  }
}

function describe(facts: DatabaseFacts, settings: Pick<Settings, 'databasePool'>): CheckedDatabase {
  const { version, sizeBytes, latencyMs, server } = facts
  const isServer = server !== null
  const kind = isServer ? 'PostgreSQL' : 'The embedded PostgreSQL'
  const size = `${(sizeBytes / MEGABYTE).toFixed(1)} MB`
  const room = isServer ? '; only its own machine knows how much space is free' : ''
  const answers = `It answers in ${latencyMs.toFixed(1)} ms`
  const findings = [
    ok(`${kind} ${version}`),
    checkThat(judgeEncoding(facts), 'Its texts are in UTF-8'),
    checkTrigrams(facts),
    checkMigrations(facts),
    ...checkMoved(facts),
    ...checkActivity(facts),
    ok(`It uses ${size}${room}`),
    latencyMs > SLOW_MS
      ? warning(`${answers}: each page makes several queries, so the database should be closer`)
      : ok(answers),
    ...(isServer ? [checkWrites(facts), ...checkServer(server, settings)] : []),
  ]
  return { findings, facts }
}

function checkThat(trouble: Trouble | null, well: string): Finding {
  return trouble === null ? ok(well) : problem(trouble.text, trouble.todo)
}

function checkTrigrams(facts: DatabaseFacts): Finding {
  const { trigrams } = facts
  if (trigrams === 'installed') return ok('The extension pg_trgm, which search needs, is installed')
  if (trigrams === 'available')
    return ok('The extension pg_trgm, which search needs, is available: the first start installs it')
  return checkThat(judgeTrigrams(facts), '')
}

function checkMigrations({ migrations: { applied, missing, unknown, isOlder } }: DatabaseFacts): Finding {
  if (isOlder)
    return problem(
      'The tables are from before Catenary 0.1.0',
      'Start commit 299abfa2 with them once, then this version.',
    )
  if (unknown > 0)
    return problem(
      'The tables belong to a newer Catenary than this one',
      'Start that version, or restore a backup that was made before the upgrade.',
    )
  if (applied === 0) return ok('It is empty: the first start creates the tables')
  if (missing > 0)
    return warning(
      `The tables are ${missing} ${missing === 1 ? 'migration' : 'migrations'} behind this version: the next start updates them`,
    )
  return ok('The tables match this version')
}

function checkMoved({ moved }: DatabaseFacts): Finding[] {
  if (moved === null) return []
  const { what, todo } = explainMoved(moved)
  return [problem(what, todo)]
}

function checkActivity({ activity }: DatabaseFacts): Finding[] {
  if (activity === null) return []
  if (activity.problem === null) return [ok(explainActivity(activity))]
  return [
    problem(
      `The activity was changed in the database. ${activity.problem}`,
      'Find out who can write to the database, and compare the activity with a backup from before that day.',
    ),
  ]
}

function checkWrites({ isReadOnly }: DatabaseFacts): Finding {
  if (!isReadOnly) return ok('It accepts writes')
  return problem('It is read-only, like a standby', 'Set DATABASE_URL to the server that accepts writes.')
}

function checkServer(
  { state, way, tls, hasDirectUrl, arrives }: ServerFacts,
  { databasePool }: Pick<Settings, 'databasePool'>,
): Finding[] {
  const { places, rights, limit } = state
  const { pooler } = way
  // This one: the others of the installation are not known here.
  const connections = judgeConnections({ places, processes: 1, poolSize: databasePool, pooler })
  const others = pooler === 'none' ? `, of ${places.count}` : ' of the pooler'
  return [
    checkThat(
      judgeRights(state),
      rights.tables === 0
        ? 'There are no tables yet, so no permissions to check'
        : `The role ${rights.role} may read and write its tables`,
    ),
    checkThat(connections, `A process can open its ${databasePool} connections${others}`),
    ok(POOLERS[pooler]),
    ...(way.keepsNames
      ? []
      : [ok('Statements are prepared without names, because that pooler does not keep them')]),
    arrives ? ok('Notifications arrive') : problem(...explainMissing({ hasDirectUrl, pooler })),
    checkLimit({ limit, pooler }),
    checkThat(
      judgeSession({ ...state, pooler }),
      'Times, numbers and bytes arrive in the form that Catenary reads',
    ),
    checkThat(judgeSchema(state), 'Tables are in the schema public'),
    checkTls(tls),
  ]
}

function checkTls(tls: Tls): Finding {
  if (tls === 'verified') return ok('The connection is encrypted, and its certificate is checked')
  if (tls === 'none, on this machine') return ok('The connection stays on this machine, without TLS')
  if (tls === 'unverified')
    return ok(
      'The connection is encrypted; sslmode=verify-full in DATABASE_URL would also check the server’s identity',
    )
  return warning(
    'The connection is not encrypted: set ssl = on there, and sslmode=verify-full in DATABASE_URL',
  )
}

const POOLERS: Record<Pooler, string> = {
  none: 'There is no pooler',
  'by session': 'There is a pooler that keeps each session for one client',
  shared: 'There is a pooler that lends its sessions for one transaction at a time',
}

function checkLimit({ limit, pooler }: Parameters<typeof judgeLimit>[0]): Finding {
  if (limit.ofRole === null)
    return ok('The time limit for statements is not set yet: the first start sets it')
  return checkThat(judgeLimit({ limit, pooler }), `Statements end after ${STATEMENT_LIMIT_MS / 1000} s`)
}
