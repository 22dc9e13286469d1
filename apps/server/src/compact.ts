import { openDatabase } from './db/client.ts'
import { compact } from './db/compact.ts'
import { readSettings } from './settings.ts'

const MEGABYTE = 1_000_000

/** `npm run compact`: gives the room of what was deleted back to the disk. */
async function main(): Promise<void> {
  const settings = readSettings()
  const database = await openDatabase({ ...settings, fsync: settings.embeddedFsync })
  try {
    const { before, after } = await compact(database)
    process.stdout.write(`The database had ${megabytes(before)} MB and has ${megabytes(after)} MB now.\n`)
  } finally {
    await database.close()
  }
}

const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(1)

main().catch((error: unknown) => {
  process.stderr.write(`Nothing was compacted. ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
