import { compact } from '../database/open/compact.ts'
import { withDatabase } from '../keeping/upgrade/with-database.ts'

const MEGABYTE = 1_000_000

export async function compactDatabase(): Promise<string> {
  const { before, after } = await withDatabase(compact)
  return `The database went from ${megabytes(before)} MB to ${megabytes(after)} MB.`
}

const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(1)
