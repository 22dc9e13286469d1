import {
  IMPORT_LOSSES_MAX,
  IMPORT_UNDO_HOURS,
  type ImportOutcome,
  type ImportReportKept,
  type importRequest,
  type PushOutcome,
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
import { toItems } from './import-items.ts'
import type { Import, Makers } from './import-types.ts'
import { canBeAlias, canUndo, type Incoming, type Match, matchAll } from './imports.policy.ts'
import {
  findCandidates,
  findOptionalImport,
  type ImportRow,
  listRecentImports,
  lockImporter,
  readPromptSlugs,
} from './imports.repository.ts'
import { toIncoming } from './incoming.ts'
import { type AllMade, chosenOf, createMakeImport } from './make-import.ts'
import { matchOwnRecords } from './own-records.ts'
import { findSkillLosses, withSkills } from './prompt-skills.ts'
import { conflictsOf, moveLabels, type Push, readItems, requireWhole, toPushOutcome } from './push-files.ts'
import { readFilesApart } from './read-files.ts'
import { tellDone } from './tell-done.ts'
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

const FILES_NAMED = 3

/** Prompts from files: first what would come of them, then the prompts, for a day with a way back. */
export function createImportsService(
  { bounded, db, now }: { bounded: BoundedWork; db: Database; now: () => Date },
  { registry, webhooks, ...makers }: ImportMakers,
) {
  const makeImport = createMakeImport(makers)
  const undoImport = createUndoImport(makers)

  /** Reads the files; what comes of them is planned where it is written. */
  async function open({ user, request, signal }: Run) {
    const { files } = request
    const read = await readFilesApart(bounded, { owner: user.id, signal, files })
    const models = registry.listFor(user)
    const { incoming, losses } = toIncoming({ files, read, models })
    const plan = async (executor: Executor): Promise<Import> => {
      const matches = await match(executor, { user, incoming })
      const own = await matchOwnRecords(executor, { user, files, read, models, prompts: matches })
      const skills = await findSkillLosses(executor, { user, files, matches })
      const all = [...losses, ...lossesOf(matches, request), ...skills, ...own.losses]
      return { user, request, read, matches, own, losses: all }
    }
    return { read, plan }
  }

  return {
    /** Throws `invalid` for files that are too much, and where an import would make nothing. */
    async run({ user, request, signal }: Run): Promise<ImportOutcome> {
      const { dryRun } = request
      const { read, plan } = await open({ user, request, signal })
      if (dryRun) return toOutcome({ id: null, ...(await plan(db)) })
      return db.transaction(async (tx) => {
        await lockImporter(tx, user.id)
        const planned = await plan(tx)
        const { matches, own } = planned
        if (matches.length + own.chains.length + own.suites.length === 0) throw nothingIn(read, request)
        const made = await makeImport(tx, planned)
        await tellDone(webhooks, tx, { ...planned, made })
        const slugs = await readPromptSlugs(
          tx,
          [...made.prompts.values()].map(({ promptId }) => promptId),
        )
        return toOutcome({ id: made.id, ...planned, made, slugs })
      })
    },

    /**
     * Files of a folder as new versions, all of them or none: where one meets what was changed here since its base, nothing
     * is written and each is named. Throws `invalid` for what could not be kept as it stands.
     */
    async push({ user, request, signal }: Push): Promise<PushOutcome> {
      const files = request.files.map(({ name, text }) => ({ name, text }))
      const conflicts = { all: 'version' as const, items: {} }
      const asked = { files, dryRun: request.dryRun, conflicts, asSkills: true }
      const { plan } = await open({ user, request: asked, signal })
      const check = async (executor: Executor) => {
        const planned = await plan(executor)
        requireWhole(planned)
        const items = await readItems(executor, planned)
        return { planned, items, conflicts: conflictsOf(items, request) }
      }
      if (request.dryRun) {
        const { items, conflicts } = await check(db)
        return toPushOutcome(items, { request, conflicts, written: false })
      }
      return db.transaction(async (tx) => {
        await lockImporter(tx, user.id)
        const { planned, items, conflicts } = await check(tx)
        if (conflicts.size > 0) return toPushOutcome(items, { request, conflicts, written: false })
        const made = await makeImport(tx, { ...planned, isPushed: true, note: request.note || undefined })
        const { label } = request
        if (label !== undefined) await moveLabels(tx, { records: makers.records, items, made, user, label })
        return toPushOutcome(items, { request, conflicts, written: true })
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

async function match(executor: Executor, { user, incoming }: { user: User; incoming: Incoming[] }) {
  const present = await findCandidates(executor, {
    ownerId: user.id,
    titles: incoming.map(({ prompt }) => prompt.title),
    aliases: incoming.flatMap(({ prompt }) => prompt.alias ?? []),
    slugs: incoming.flatMap(({ prompt }) => prompt.slug ?? prompt.alias ?? []),
    hashes: incoming.map(({ hash }) => hash),
  })
  const bySlug = await withSkills(executor, { bySlug: present.bySlug, user })
  return matchAll(incoming, { ...present, bySlug })
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
function lossesOf(matches: readonly Match[], request: Run['request']): LossDraft[] {
  return matches.flatMap((match) => {
    const { prompt, file } = match.incoming
    const name = request.files[file]?.name ?? ''
    const at = prompt.at === '' ? name : `${name} › ${prompt.at}`
    const reasons: string[] = []
    if (match.state !== 'same' && prompt.alias !== undefined && !canBeAlias(prompt.alias)) {
      reasons.push(
        `Code can’t ask for it as ${prompt.alias.slice(0, 80)} here: a name is one line of at most 200 characters, no number, and does not begin with chain-`,
      )
    }
    const isCopy = chosenOf(match, request.conflicts).some(({ as }) => as === 'copy')
    if (isCopy && prompt.alias !== undefined) {
      reasons.push(
        `Code that asks for ${prompt.alias.slice(0, 80)} gets the prompt that is here, not the copy`,
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

function toOutcome({
  id,
  request,
  read,
  matches,
  own,
  losses,
  made,
  slugs = new Map(),
}: Import & { id: number | null; made?: AllMade; slugs?: ReadonlyMap<number, string> }): ImportOutcome {
  return {
    id,
    files: read.map(({ format, prompts, records, problem }, index) => ({
      name: request.files[index]?.name ?? '',
      format,
      prompts: prompts.length,
      chains: records.filter(({ kind }) => kind === 'chain').length,
      tests:
        prompts.reduce((sum, { suite }) => sum + (suite?.cases.length ?? 0), 0) +
        records.reduce((sum, record) => sum + (record.kind === 'suite' ? record.cases.length : 0), 0),
      problem,
    })),
    items: toItems({ matches, own, made, slugs }),
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
