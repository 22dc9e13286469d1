import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../../errors.ts'

interface SecretKeyOptions {
  secretKey: string | undefined
  /** A new key may replace one that is lost. */
  newSecretKey: boolean
  dataDir: string
  /** Whether data is stored that a new key would not open. */
  isMissed: () => Promise<boolean>
}

/** SECRET_KEY as set, else the one kept in DATA_DIR (mode 600), made on the first start and synced to disk. */
export async function loadSecretKey({
  secretKey,
  newSecretKey,
  dataDir,
  isMissed,
}: SecretKeyOptions): Promise<string> {
  if (secretKey !== undefined) return secretKey
  const file = path.join(dataDir, 'secret.key')
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (kept !== undefined && kept.trim() !== '') return kept.trim()
  if (!newSecretKey && (await isMissed())) {
    throw new StartError(
      `${file} is missing or empty, and the database holds what its key sealed: header values, tokens, Google connections. ` +
        'Put the file back, or set SECRET_KEY to what it held; ' +
        'or set NEW_SECRET_KEY=on to go on with a new key and enter all of that again.',
    )
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const made = randomBytes(32).toString('base64url')
  await writeSynced({ file, text: `${made}\n` })
  return made
}

async function writeSynced({ file, text }: { file: string; text: string }): Promise<void> {
  const temporary = `${file}.new`
  const handle = await open(temporary, 'w', 0o600)
  await handle.writeFile(text)
  await handle.sync()
  await handle.close()
  await rename(temporary, file)
  const directory = await open(path.dirname(file), 'r')
  await directory.sync()
  await directory.close()
}
