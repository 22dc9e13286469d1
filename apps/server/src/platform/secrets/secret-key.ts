import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../../errors.ts'
import { keyFingerprint, keyIdOf } from './secret-box.ts'

export interface SecretKeys {
  secretKey: string
  secretKeyAlso: string | undefined
}

interface SecretKeyOptions {
  secretKey: string | undefined
  secretKeyAlso: string | undefined
  newSecretKey: boolean
  dataDir: string
  isMissed: () => Promise<boolean>
}

const [KEY_FILE, EARLIER_FILE] = ['secret.key', 'secret.key.old'] as const

/** SECRET_KEY as set, else the one kept in DATA_DIR (mode 600), made on the first start and synced to disk. */
export async function loadSecretKeys({
  newSecretKey,
  dataDir,
  isMissed,
  ...set
}: SecretKeyOptions): Promise<SecretKeys> {
  const file = path.join(dataDir, KEY_FILE)
  const { secretKey, secretKeyAlso } = await findSecretKeys({ ...set, dataDir })
  if (secretKey !== undefined) return { secretKey, secretKeyAlso }
  if (!newSecretKey && (await isMissed())) {
    throw new StartError(
      `${file} is missing or empty, and the database has values encrypted with its key: header values, tokens, Google connections. ` +
        'Put the file back, or set SECRET_KEY to its content; ' +
        'or set NEW_SECRET_KEY=on to continue with a new key and enter all of that again.',
    )
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return { secretKey: await writeNewKey(file), secretKeyAlso }
}

/** Those that are set, else those kept in DATA_DIR. Unlike the start it makes none. */
export async function findSecretKeys({
  secretKey,
  secretKeyAlso,
  dataDir,
}: Pick<SecretKeyOptions, 'dataDir' | 'secretKey' | 'secretKeyAlso'>): Promise<Partial<SecretKeys>> {
  if (secretKey !== undefined) return { secretKey, secretKeyAlso }
  const [kept, earlier] = await Promise.all(
    [KEY_FILE, EARLIER_FILE].map((name) => readKey(path.join(dataDir, name))),
  )
  return kept === undefined ? { secretKeyAlso: earlier } : { secretKey: kept, secretKeyAlso: earlier }
}

export async function findKeyFingerprint(
  options: Parameters<typeof findSecretKeys>[0],
): Promise<string | null> {
  const { secretKey } = await findSecretKeys(options)
  return secretKey === undefined ? null : keyFingerprint(secretKey)
}

/**
 * Makes a new key beside the one in DATA_DIR, which is kept as `secret.key.old`. After a kill at any moment it may be
 * called again: it makes one key, and leaves as it is a change that is under way.
 */
export async function beginKeyChange({
  dataDir,
  secretKey,
  secretKeyAlso,
}: SecretKeys & { dataDir: string }): Promise<SecretKeys> {
  const isUnderWay = secretKeyAlso !== undefined && secretKeyAlso !== secretKey
  if (isUnderWay) return { secretKey, secretKeyAlso }
  await writeSynced({ file: path.join(dataDir, EARLIER_FILE), text: `${secretKey}\n` })
  return { secretKey: await writeNewKey(path.join(dataDir, KEY_FILE)), secretKeyAlso: secretKey }
}

export function heldKeysOf({ secretKey, secretKeyAlso = secretKey }: SecretKeys): {
  seals: string
  opens: string[]
} {
  const [seals, also] = [keyIdOf(secretKey), keyIdOf(secretKeyAlso)]
  return { seals, opens: [seals, also] }
}

export async function endKeyChange(dataDir: string): Promise<void> {
  await rm(path.join(dataDir, EARLIER_FILE), { force: true })
  await syncDirectory(dataDir)
}

/** Undefined where the file is not there, or empty. */
async function readKey(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.trim() || undefined
}

async function writeNewKey(file: string): Promise<string> {
  const made = randomBytes(32).toString('base64url')
  await writeSynced({ file, text: `${made}\n` })
  return made
}

export async function keepSecretKey({
  dataDir,
  secretKey,
}: {
  dataDir: string
  secretKey: string
}): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeSynced({ file: path.join(dataDir, KEY_FILE), text: `${secretKey}\n` })
}

async function writeSynced({ file, text }: { file: string; text: string }): Promise<void> {
  const temporary = `${file}.new`
  const handle = await open(temporary, 'w', 0o600)
  await handle.writeFile(text)
  await handle.sync()
  await handle.close()
  await rename(temporary, file)
  await syncDirectory(path.dirname(file))
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  await handle.sync()
  await handle.close()
}
