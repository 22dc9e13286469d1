import { Readable } from 'node:stream'
import type { ExportFormat, ExportQuery, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { ModelRegistry } from '../models/models.ts'
import type { Scope } from './exports.repository.ts'
import { readFolder } from './folder-files.ts'
import { readLangfuse, readPromptfoo } from './other-forms.ts'
import { writeZip } from './write-zip.ts'

export type ExportsService = ReturnType<typeof createExportsService>

export interface ExportsDeps {
  db: Database
  registry: Pick<ModelRegistry, 'listFor'>
}

interface ExportedFile {
  name: string
  type: string
  content: Readable
}

const FILES: Record<ExportFormat, Omit<ExportedFile, 'content'>> = {
  folder: { name: 'catenary.zip', type: 'application/zip' },
  langfuse: { name: 'langfuse-prompts.json', type: 'application/json; charset=utf-8' },
  promptfoo: { name: 'promptfooconfig.yaml', type: 'application/yaml; charset=utf-8' },
}

/** What a person may see, for elsewhere; read while it is sent. */
export function createExportsService({ db, registry }: ExportsDeps) {
  const open = {
    folder: (scope: Scope) => writeZip(readFolder(db, scope)),
    langfuse: (scope: Scope) => Readable.from(readLangfuse(db, scope)),
    promptfoo: (scope: Scope, user: User) =>
      Readable.from(readPromptfoo(db, { scope, models: registry.listFor(user) })),
  } satisfies Record<ExportFormat, (scope: Scope, user: User) => Readable>

  return {
    open({ user, query }: { user: User; query: ExportQuery }): ExportedFile {
      const { format, ownership, promptIds, chainIds } = query
      const isChosen = promptIds !== undefined || chainIds !== undefined
      const scope = {
        userId: user.id,
        ownership,
        promptIds: promptIds ?? (isChosen ? [] : undefined),
        chainIds: chainIds ?? (isChosen ? [] : undefined),
        label: undefined,
      }
      return { ...FILES[format], content: open[format](scope, user) }
    },
  }
}
