import { existsSync } from 'node:fs'
import path from 'node:path'
import { DATABASE_DIRECTORY, type DatabaseClient } from '../database/open/client.ts'
import { StartError } from '../errors.ts'
import { moveDatabase } from '../keeping/move/move-database.ts'
import { embeddedTarget, type MoveTarget, serverTarget } from '../keeping/move/move-target.ts'
import { withDatabase } from '../keeping/upgrade/with-database.ts'
import { keyIdOf } from '../platform/secrets/secret-box.ts'
import { findSecretKeys } from '../platform/secrets/secret-key.ts'
import { readSettings, type Settings } from '../platform/settings/settings.ts'
import { describeAgain, gatherDeleted } from './deleted.ts'

const EMBEDDED = 'embedded'

export async function moveTo({ to }: { to: string }): Promise<string> {
  const settings = readSettings()
  const target = targetOf({ to, settings })
  try {
    const deleted = await gatherDeleted(settings)
    const { rows, tables, again } = await withDatabase(async (source) => {
      if (target.kind === 'embedded') await requireSameKey({ source, settings })
      return moveDatabase({ source, target, deleted })
    })
    const moved =
      rows === null
        ? 'Everything had been moved already.'
        : `Moved ${rows.toLocaleString('en')} rows of ${tables} tables; each table has the same hash on both sides.`
    return [moved, ...describeAgain(again), ...nextSteps({ kind: target.kind, settings })].join('\n')
  } finally {
    await target.close()
  }
}

function targetOf({ to, settings }: { to: string; settings: Settings }): MoveTarget {
  const { databaseUrl, dataDir, embeddedFsync: fsync } = settings
  if (to === EMBEDDED) {
    if (databaseUrl !== undefined) return embeddedTarget({ dataDir, fsync })
    throw new StartError('The database is already the embedded one: DATABASE_URL is not set.')
  }
  if (!/^postgres(ql)?:\/\//.test(to)) {
    throw new StartError('--to must be "embedded" or an address that begins with postgres://.')
  }
  if (to === databaseUrl) throw new StartError('--to is the database of DATABASE_URL itself.')
  if (databaseUrl === undefined && !existsSync(path.join(dataDir, DATABASE_DIRECTORY))) {
    throw new StartError(`There is no database in ${dataDir}. Set DATA_DIR to where it is.`)
  }
  return serverTarget(to)
}

/**
 * Throws a StartError where DATA_DIR keeps another key than the one that seals what is moved there: a start that finds
 * no SECRET_KEY would take it, and open nothing.
 */
async function requireSameKey({
  source,
  settings: { dataDir, secretKey },
}: {
  source: DatabaseClient
  settings: Settings
}): Promise<void> {
  const { secretKey: kept } = await findSecretKeys({
    dataDir,
    secretKey: undefined,
    secretKeyAlso: undefined,
  })
  if (kept === undefined) return
  const there = keyIdOf(kept)
  const running = await source.listHeldKeys()
  const sealing = secretKey === undefined ? running.map(({ seals }) => seals) : [keyIdOf(secretKey)]
  const other = sealing.find((id) => id !== there)
  if (other === undefined) return
  const file = path.join(dataDir, 'secret.key')
  throw new StartError(
    `${file} (SHA-256 ${there}…) is not the SECRET_KEY that the moved data is encrypted with (${other}…). ` +
      `Move ${file} away, then try again.`,
  )
}

/** Never names a key, nor the target, whose address has a password. */
function nextSteps({ kind, settings }: { kind: MoveTarget['kind']; settings: Settings }): string[] {
  const { dataDir, secretKey } = settings
  const next =
    kind === 'server'
      ? 'Start Catenary with DATABASE_URL set to that database.'
      : `Start Catenary without DATABASE_URL: its database is in ${dataDir}.`
  const key =
    secretKey === undefined
      ? `Encrypted values, such as headers and tokens, can only be read with the same key: keep ${path.join(dataDir, 'secret.key')} in DATA_DIR, or set SECRET_KEY to its content, which several processes need.`
      : 'Encrypted values, such as headers and tokens, can only be read with the same SECRET_KEY: keep it set.'
  return [next, key, 'The old database stays as it is. It starts again only with "catenary start --reopen".']
}
