import type { Readable } from 'node:stream'
import type { ExportQuery, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { readFolder } from './folder-files.ts'
import { writeZip } from './write-zip.ts'

export type ExportsService = ReturnType<typeof createExportsService>

export interface ExportedFile {
  name: string
  type: string
  content: Readable
}

/** What a person may see, for elsewhere. */
export function createExportsService({ db }: { db: Database }) {
  return {
    open({ user, query }: { user: User; query: ExportQuery }): ExportedFile {
      const { ownership, promptIds, chainIds } = query
      const isChosen = promptIds !== undefined || chainIds !== undefined
      const scope = {
        userId: user.id,
        ownership,
        promptIds: promptIds ?? (isChosen ? [] : undefined),
        chainIds: chainIds ?? (isChosen ? [] : undefined),
        label: undefined,
      }
      return { name: 'catenary.zip', type: 'application/zip', content: writeZip(readFolder(db, scope)) }
    },
  }
}
