import { isKnownSchema } from '../../database/open/migrate.ts'
import { isBeforeBaseline } from '../../database/open/schema-number.ts'
import type { BackupAbout } from './backup-format.ts'

export function explainUnknownTables({
  file,
  about: { program, schema },
  what,
}: {
  file: string
  about: Pick<BackupAbout, 'program' | 'schema'>
  what: string
}): string | undefined {
  if (isKnownSchema(schema)) return undefined
  if (isBeforeBaseline(schema.last))
    return `${file} is from before Catenary 0.1.0. Restore it with commit 299abfa2 and start that once, then start this version.`
  return `${file} belongs to a newer version of Catenary, ${program}, than this one. ${what} with that version.`
}
