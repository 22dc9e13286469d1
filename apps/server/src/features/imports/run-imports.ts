import {
  IMPORT_LOSSES_MAX,
  IMPORT_TEXT_MAX,
  type ImportOutcome,
  type importRequest,
  type PushOutcome,
  type User,
} from '@catenary/contracts'
import type { LossDraft, ReadFile, SourceFile } from '@catenary/domain/imports'
import type * as z from 'zod'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import type { Call, TaskOf } from '../../platform/bounded/bounded-work.ts'
import { WorkRefused } from '../../platform/bounded/work-refused.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { asPart, recordActivity } from '../activity/activity.ts'
import { requireSaveableTools } from '../chains/chains.ts'
import { listModelsFor } from '../models/models.ts'
import { tellEvent } from '../webhooks/webhooks.ts'
import { toItems } from './import-items.ts'
import type { Import, Made } from './import-types.ts'
import { withImportedTools } from './imported-tools.ts'
import { canBeAlias, type Incoming, type Match, matchAll } from './imports.policy.ts'
import { findCandidates, lockImporter, readPromptSlugs } from './imports.sql.ts'
import { toIncoming } from './incoming.ts'
import { type AllMade, chosenOf, makeImport } from './make-import.ts'
import { toolsToMake } from './make-own-records.ts'
import { matchOwnRecords } from './own-records.ts'
import { findSkillLosses, withSkills } from './prompt-skills.ts'
import { conflictsOf, moveLabels, type Push, readItems, requireWhole, toPushOutcome } from './push-files.ts'

interface Run {
  user: User
  request: z.output<typeof importRequest>
  signal: AbortSignal
}

/**
 * Prompts from files: first what would come of them, then the prompts, for a day with a way back. Throws `invalid` for files
 * that are too much, and where an import would make nothing.
 */
export async function runImport(ctx: Context, { user, request, signal }: Run): Promise<ImportOutcome> {
  const { read, plan } = await openFiles(ctx, { user, request, signal })
  if (request.dryRun) {
    const planned = withImportedTools(await plan(ctx))
    await requireSaveable(ctx, planned)
    return toOutcome({ id: null, ...planned })
  }
  return transaction(ctx, async (ctx) => {
    await lockImporter(ctx.db, user.id)
    const planned = withImportedTools(await plan(ctx))
    const { matches, own } = planned
    if (matches.length + own.chains.length + own.suites.length === 0) throw nothingIn(read, request)
    const made = await makeImport(asPart(ctx), planned)
    if (made.id !== null) await recordActivity(ctx, { kind: 'import.made', object: 'import', id: made.id })
    await notifyDone(ctx, { ...planned, made })
    const slugs = await readPromptSlugs(
      ctx.db,
      [...made.prompts.values()].map(({ promptId }) => promptId),
    )
    return toOutcome({ id: made.id, ...planned, made, slugs })
  })
}

/**
 * Files of a folder as new versions, all or none: if one of them was changed here since its base, nothing is
 * written and each such file is named. Throws `invalid` for what can't be kept as it stands.
 */
export async function pushFiles(ctx: Context, { user, request, signal }: Push): Promise<PushOutcome> {
  const files = request.files.map(({ name, text }) => ({ name, text }))
  const conflicts = { all: 'version' as const, items: {} }
  const asked = { files, dryRun: request.dryRun, conflicts, asSkills: true }
  const { plan } = await openFiles(ctx, { user, request: asked, signal })
  const check = async (ctx: SqlContext) => {
    const planned = await plan(ctx)
    requireWhole(planned)
    const items = await readItems(ctx, planned)
    return { planned, items, conflicts: conflictsOf(items, request) }
  }
  if (request.dryRun) {
    const { planned, items, conflicts } = await check(ctx)
    if (conflicts.size === 0) await requireSaveable(ctx, planned)
    return toPushOutcome(items, { request, conflicts, written: false })
  }
  return transaction(ctx, async (ctx) => {
    await lockImporter(ctx.db, user.id)
    const { planned, items, conflicts } = await check(ctx)
    if (conflicts.size > 0) return toPushOutcome(items, { request, conflicts, written: false })
    const made = await makeImport(asPart(ctx), {
      ...planned,
      isPushed: true,
      note: request.note || undefined,
    })
    if (made.id !== null) await recordActivity(ctx, { kind: 'folder.pushed', object: 'import', id: made.id })
    const { label } = request
    if (label !== undefined) await moveLabels(ctx, { items, made, user, label })
    return toPushOutcome(items, { request, conflicts, written: true })
  })
}

/** Throws where writing it would be refused for what its chains call. */
async function requireSaveable(ctx: SqlContext, { user, own, request }: Import): Promise<void> {
  for (const made of toolsToMake({ own, conflicts: request.conflicts }))
    await requireSaveableTools(ctx, { user, ...made })
}

async function openFiles(ctx: Context, { user, request, signal }: Run) {
  const { files } = request
  const read = await readFilesApart(ctx, { owner: user.id, signal, files })
  const models = listModelsFor(ctx, user)
  const { incoming, losses } = toIncoming({ files, read, models })
  const plan = async (ctx: SqlContext): Promise<Import> => {
    const matches = await match(ctx, { user, incoming })
    const own = await matchOwnRecords(ctx, { user, files, read, models, prompts: matches })
    const skills = await findSkillLosses(ctx, { user, files, matches })
    const all = [...losses, ...lossesOf(matches, request), ...skills, ...own.losses]
    return { user, request, read, matches, own, losses: all }
  }
  return { read, plan }
}

const READ_FILES: TaskOf<typeof import('./read-files-task.ts')> = {
  module: new URL('./read-files-task.ts', import.meta.url),
  what: 'Reading the files',
  limitMs: 10_000,
  byProcessor: true,
  sizeOf: (files) => files.reduce((sum, { text }) => sum + text.length, 0),
  sizeMax: IMPORT_TEXT_MAX,
}

async function readFilesApart(
  { bounded }: Context,
  { files, ...call }: Call & { files: readonly SourceFile[] },
): Promise<ReadFile[]> {
  const read = await bounded
    .open(call)
    .run(READ_FILES, files)
    .catch((error: unknown) => {
      if (error instanceof WorkRefused && error.why !== 'left') return { problem: error.message }
      throw error
    })
  if ('files' in read) return read.files
  const { problem: message } = read
  throw new AppError('invalid', message, { details: [{ path: 'files', message }] })
}

async function match(ctx: SqlContext, { user, incoming }: { user: User; incoming: Incoming[] }) {
  const present = await findCandidates(ctx.db, {
    ownerId: user.id,
    titles: incoming.map(({ prompt }) => prompt.title),
    aliases: incoming.flatMap(({ prompt }) => prompt.alias ?? []),
    slugs: incoming.flatMap(({ prompt }) => prompt.slug ?? prompt.alias ?? []),
    hashes: incoming.map(({ hash }) => hash),
  })
  const bySlug = await withSkills(ctx, { bySlug: present.bySlug, user })
  return matchAll(incoming, { ...present, bySlug })
}

function nothingIn(read: readonly ReadFile[], { files }: Run['request']): AppError {
  const index = read.findIndex(({ problem }) => problem !== null)
  const problem = read[index]?.problem
  if (problem == null) return fieldError('files', 'The chosen files contain no prompts')
  return fieldError(`files.${index}.text`, `${files[index]?.name}: ${problem}`)
}

/** Left out because of what is here already, or of what was chosen. */
function lossesOf(matches: readonly Match[], request: Run['request']): LossDraft[] {
  return matches.flatMap((match) => {
    const { prompt, file } = match.incoming
    const name = request.files[file]?.name ?? ''
    const at = prompt.at === '' ? name : `${name} › ${prompt.at}`
    const reasons: string[] = []
    if (match.state !== 'same' && prompt.alias !== undefined && !canBeAlias(prompt.alias)) {
      reasons.push(
        `Code can’t request it as ${prompt.alias.slice(0, 80)} here: a name is one line of at most 200 characters, not a number, and does not begin with chain-`,
      )
    }
    const isCopy = chosenOf(match, request.conflicts).some(({ as }) => as === 'copy')
    if (isCopy && prompt.alias !== undefined) {
      reasons.push(`Code that requests ${prompt.alias.slice(0, 80)} gets the existing prompt, not the copy`)
    }
    const isVersion = chosenOf(match, request.conflicts).some(({ as }) => as === 'version')
    if (isVersion && prompt.suite !== undefined) {
      reasons.push('A new version keeps the prompt’s own tests. Choose Copy to import these tests too')
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

async function notifyDone(
  ctx: Context<Transaction>,
  { user, losses, made }: Import & { made: AllMade },
): Promise<void> {
  const { id } = made
  if (id === null) return
  const all = [...made.prompts.values(), ...made.chains, ...made.suites]
  const countOf = (kind: Made['made']) => all.filter((each) => each.made === kind).length
  await tellEvent(ctx, {
    type: 'import.done',
    key: `import:${id}`,
    object: `import:${id}`,
    audience: { userId: user.id },
    data: {
      importId: id,
      new: countOf('new'),
      versions: countOf('version'),
      copies: countOf('copy'),
      losses: losses.length,
    },
  })
}
