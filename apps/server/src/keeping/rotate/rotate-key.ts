import type { DatabaseClient } from '../../database/open/client.ts'
import { hasSealedData } from '../../database/statements/sealed-data.ts'
import { StartError } from '../../errors.ts'
import { createSecretBox, keyFingerprint, keyIdOf } from '../../platform/secrets/secret-box.ts'
import {
  beginKeyChange,
  endKeyChange,
  loadSecretKeys,
  type SecretKeys,
} from '../../platform/secrets/secret-key.ts'
import { readSettings, type Settings } from '../../platform/settings/settings.ts'
import { requireNotMoved } from '../move/require-not-moved.ts'
import { withMigratedDatabase } from '../upgrade/with-database.ts'
import { reseal } from './reseal.ts'

const EARLIER_COPIES = 'Earlier copies of the database can only be read with the earlier key.'

/** Goes on when called again after a kill. Throws StartError while a process runs that could not open what it seals. */
export async function rotateKey(): Promise<string> {
  const settings = readSettings()
  const { secretKey } = settings
  return withMigratedDatabase((database) =>
    secretKey === undefined
      ? changeKeptKey({ database, settings })
      : changeSetKey({ database, settings: { ...settings, secretKey } }),
  )
}

interface Change<Given = Settings> {
  database: DatabaseClient
  settings: Given
}

async function changeKeptKey({ database, settings }: Change): Promise<string> {
  // A key that is made here would be that of the other database too.
  await requireNotMoved(database, { reopen: false })
  const running = await database.listHeldKeys()
  if (running.length > 0) {
    throw new StartError(`Stop Catenary first: ${count(running.length, 'process runs', 'processes run')}.`)
  }
  const isMissed = () => hasSealedData(database.db)
  const found = await loadSecretKeys({ ...settings, isMissed })
  const keys = await beginKeyChange({ ...found, dataDir: settings.dataDir })
  const done = await sealAll(database, keys)
  await endKeyChange(settings.dataDir)
  return [
    done,
    `The earlier key is gone from ${settings.dataDir}. ${EARLIER_COPIES}`,
    'Everyone has to sign in again, and links in earlier emails no longer work.',
  ].join('\n')
}

async function changeSetKey({
  database,
  settings,
}: Change<Settings & { secretKey: string }>): Promise<string> {
  const { secretKey, secretKeyAlso } = settings
  if (secretKeyAlso === undefined) {
    throw new StartError(
      'Set SECRET_KEY_ALSO to a new key in each process and restart it; then swap the two keys and restart each again; then run this.',
    )
  }
  const keys = { secretKey, secretKeyAlso }
  await requireKnown(database, keys)
  const done = await sealAll(database, keys)
  // One that was started meanwhile.
  await requireKnown(database, keys)
  return [
    done,
    `Nothing stored needs SECRET_KEY_ALSO (${keyIdOf(secretKeyAlso)}) any more. ${EARLIER_COPIES}`,
    'Remove it from the settings of each process. If it is the new key, swap the two and run this again instead.',
    'Without it, anyone who has not opened Catenary since then has to sign in again, and links in earlier emails no longer work.',
  ].join('\n')
}

async function requireKnown(database: DatabaseClient, { secretKey }: SecretKeys): Promise<void> {
  const running = await database.listHeldKeys()
  const id = keyIdOf(secretKey)
  const unaware = running.filter(({ opens }) => !opens.includes(id))
  if (unaware.length > 0) {
    throw new StartError(
      `${unaware.length} of ${running.length} running processes don’t know the new key. Restart each with it as SECRET_KEY_ALSO first.`,
    )
  }
  const earlier = running.filter(({ seals }) => seals !== id)
  if (earlier.length > 0) {
    throw new StartError(
      `${earlier.length} of ${running.length} running processes still encrypt with the earlier key. Restart each with the new one as SECRET_KEY and the earlier as SECRET_KEY_ALSO.`,
    )
  }
}

async function sealAll({ db }: DatabaseClient, { secretKey, secretKeyAlso }: SecretKeys): Promise<string> {
  const { resealed, unread } = await reseal({ db, secrets: createSecretBox(secretKey, secretKeyAlso) })
  const said = [
    `${count(resealed, 'row was', 'rows were')} re-encrypted. Everything readable is now encrypted with this key:`,
    `SHA-256 ${keyFingerprint(secretKey)}`,
  ]
  const left = [...unread].map(([what, values]) => `${values} ${what}`)
  if (left.length > 0)
    said.push(`No known key can read these, so they were left as they are: ${left.join(', ')}.`)
  return said.join('\n')
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`
