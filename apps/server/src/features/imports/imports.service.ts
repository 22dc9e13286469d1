import {
  IMPORT_LOSSES_MAX,
  IMPORT_UNDO_HOURS,
  type ImportOutcome,
  type ImportReportKept,
  type importRequest,
  type RecentImport,
  type UndoneImport,
  type User,
} from '@catenary/contracts'
import type { LossDraft, ReadFile } from '@catenary/domain/imports'
import type * as z from 'zod'
import type { Database, Executor } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import type { BoundedWork } from '../../platform/bounded/bounded-work.ts'
import type { ModelRegistry } from '../models/models.ts'
import type { WebhooksService } from '../webhooks/webhooks.ts'
import { canUndo, type Incoming, type Match, matchAll } from './imports.policy.ts'
import {
  findCandidates,
  findOptionalImport,
  type ImportRow,
  listRecentImports,
  listTakenAliases,
  lockImporter,
} from './imports.repository.ts'
import { toIncoming } from './incoming.ts'
import { chosenOf, createMakeImport, type Made, type Makers } from './make-import.ts'
import { readFilesApart } from './read-files.ts'
import { createUndoImport } from './undo-import.ts'

export type ImportsService = ReturnType<typeof createImportsService>

export interface ImportMakers extends Makers {
  registry: Pick<ModelRegistry, 'listFor'>
  webhooks: Pick<WebhooksService, 'tell'>
}

interface Run {
  user: User
  request: z.output<typeof importRequest>
  /** Aborts when the caller leaves. */
  signal: AbortSignal
}

const CONTENT_SHOWN = 20_000
/** Of all conflicts together. */
const CONTENTS_SHOWN = 1_000_000
const FILES_NAMED = 3

/** Prompts from files: first what would come of them, then the prompts, for a day with a way back. */
export function createImportsService(
  { bounded, db, now }: { bounded: BoundedWork; db: Database; now: () => Date },
  { registry, webhooks, ...makers }: ImportMakers,
) {
  const makeImport = createMakeImport(makers)
  const undoImport = createUndoImport(makers)

  async function match(executor: Executor, { user, incoming }: { user: User; incoming: Incoming[] }) {
    const aliases = incoming.flatMap(({ prompt }) => prompt.alias ?? [])
    const present = await findCandidates(executor, {
      ownerId: user.id,
      titles: incoming.map(({ prompt }) => prompt.title),
      aliases,
      hashes: incoming.map(({ hash }) => hash),
    })
    const taken = new Set(await listTakenAliases(executor, { ownerId: user.id, aliases }))
    return { matches: matchAll(incoming, present), taken }
  }

  return {
    /** Throws `invalid` for files that are too much, and where an import would make nothing. */
    async run({ user, request, signal }: Run): Promise<ImportOutcome> {
      const { files, dryRun } = request
      const read = await readFilesApart(bounded, { owner: user.id, signal, files })
      const { incoming, losses } = toIncoming({ files, read, models: registry.listFor(user) })
      if (dryRun) {
        const { matches, taken } = await match(db, { user, incoming })
        return toOutcome({
          id: null,
          request,
          read,
          matches,
          losses: [...losses, ...lossesOf(matches, { taken, request })],
        })
      }
      return db.transaction(async (tx) => {
        await lockImporter(tx, user.id)
        const { matches, taken } = await match(tx, { user, incoming })
        if (matches.length === 0) throw nothingIn(read, request)
        const all = [...losses, ...lossesOf(matches, { taken, request })]
        const { id, made } = await makeImport(tx, { user, request, read, matches, taken, losses: all })
        if (id !== null) await webhooks.tell(tx, toEvent({ id, user, made, losses: all.length }))
        return toOutcome({ id, request, read, matches, losses: all, made })
      })
    },

    async list(user: User): Promise<RecentImport[]> {
      return (await listRecentImports(db, user.id)).map((row) => toRecent(row, now()))
    },

    /** Throws `not_found` for what is not the person's own. */
    async find({ id, user }: { id: number; user: User }): Promise<ImportReportKept> {
      const { losses, ...row } = requireOwn(await findOptionalImport(db, { id, ownerId: user.id }))
      return { ...toRecent(row, now()), losses: losses as ImportReportKept['losses'] }
    },

    /** Throws `conflict` where it was undone already, or is older than a day. */
    undo({ id, user }: { id: number; user: User }): Promise<UndoneImport> {
      return db.transaction(async (tx) => {
        await lockImporter(tx, user.id)
        const row = requireOwn(await findOptionalImport(tx, { id, ownerId: user.id }))
        if (row.undoneAt !== null) throw new AppError('conflict', 'This import was undone already')
        if (!canUndo(row, now())) {
          throw new AppError('conflict', `An import can be undone for ${IMPORT_UNDO_HOURS} hours`)
        }
        return undoImport(tx, { id, user })
      })
    },
  }
}

function toEvent({
  id,
  user,
  made,
  losses,
}: {
  id: number
  user: User
  made: ReadonlyMap<string, Made>
  losses: number
}) {
  const countOf = (kind: Made['made']) => [...made.values()].filter((each) => each.made === kind).length
  const counts = { new: countOf('new'), versions: countOf('version'), copies: countOf('copy'), losses }
  return {
    type: 'import.done' as const,
    key: `import:${id}`,
    object: `import:${id}`,
    audience: { userId: user.id },
    data: { importId: id, ...counts },
  }
}

function requireOwn<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('not_found', 'Import not found')
  return row
}

function nothingIn(read: readonly ReadFile[], { files }: Run['request']): AppError {
  const index = read.findIndex(({ problem }) => problem !== null)
  const problem = read[index]?.problem
  if (problem == null) return fieldError('files', 'There is no prompt in what was chosen')
  return fieldError(`files.${index}.text`, `${files[index]?.name}: ${problem}`)
}

/** What does not come along because of what is here, or of what was chosen. */
function lossesOf(
  matches: readonly Match[],
  { taken, request }: { taken: ReadonlySet<string>; request: Run['request'] },
): LossDraft[] {
  return matches.flatMap((match) => {
    const { prompt, file } = match.incoming
    const name = request.files[file]?.name ?? ''
    const at = prompt.at === '' ? name : `${name} › ${prompt.at}`
    const reasons: string[] = []
    if (match.state !== 'same' && prompt.alias !== undefined && taken.has(prompt.alias)) {
      reasons.push(
        `Another person’s prompt has the id ${prompt.alias}: code that calls it does not reach this one`,
      )
    }
    const isVersion = chosenOf(match, request.conflicts).some(({ as }) => as === 'version')
    if (isVersion && prompt.suite !== undefined) {
      reasons.push(
        'Its tests do not come with a new version, as the prompt keeps its own: a copy brings them',
      )
    }
    return reasons.map((reason) => ({ at, reason }))
  })
}

interface Outcome {
  id: number | null
  request: Run['request']
  read: readonly ReadFile[]
  matches: readonly Match[]
  losses: readonly LossDraft[]
  made?: ReadonlyMap<string, Made>
}

function toOutcome({ id, request, read, matches, losses, made }: Outcome): ImportOutcome {
  let left = CONTENTS_SHOWN
  const show = (content: string): string | null => {
    const shown = content.slice(0, CONTENT_SHOWN).toWellFormed()
    left -= shown.length
    return left >= 0 ? shown : null
  }
  return {
    id,
    files: read.map(({ format, prompts, problem }, index) => ({
      name: request.files[index]?.name ?? '',
      format,
      prompts: prompts.length,
      tests: prompts.reduce((sum, { suite }) => sum + (suite?.cases.length ?? 0), 0),
      problem,
    })),
    items: matches.map(({ state, existing, incoming: { key, file, prompt } }) => ({
      key,
      kind: 'prompt' as const,
      name: prompt.title,
      state,
      file,
      at: prompt.at,
      tests: prompt.suite?.cases.length ?? 0,
      existing: existing
        ? {
            id: existing.id,
            version: existing.version,
            isNewer: prompt.savedAt !== undefined && existing.updatedAt.toISOString() > prompt.savedAt,
          }
        : null,
      content: state === 'conflict' ? show(prompt.content) : null,
      made: made?.get(key)?.made ?? null,
      promptId: made?.get(key)?.promptId ?? null,
    })),
    losses: losses.slice(0, IMPORT_LOSSES_MAX).map(({ at, reason }) => ({ at, reason })),
    lossCount: losses.length,
  }
}

function toRecent({ files, createdAt, undoneAt, ...row }: ImportRow, now: Date): RecentImport {
  return {
    ...row,
    fileNames: files.slice(0, FILES_NAMED).map(({ name }) => name),
    fileCount: files.length,
    canUndo: canUndo({ createdAt, undoneAt }, now),
    undoneAt: undoneAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
