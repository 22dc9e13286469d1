import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'

/** SECRET_KEY as set, else the one kept in DATA_DIR (mode 600), made on the first start and synced to disk. */
export async function loadSecretKey({
  secretKey,
  dataDir,
}: {
  secretKey: string | undefined
  dataDir: string
}): Promise<string> {
  if (secretKey !== undefined) return secretKey
  const file = path.join(dataDir, 'secret.key')
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (kept !== undefined && kept.trim() !== '') return kept.trim()
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
