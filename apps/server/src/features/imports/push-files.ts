import type { PushOutcome, pushRequest, User } from '@catenary/contracts'
import type * as z from 'zod'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import type { Context, SqlContext } from '../../platform/context.ts'
import { readPrompts, writeInTurns } from '../exports/exports.ts'
import { moveUnprotectedLabel } from '../records/records.ts'
import type { Import } from './import-types.ts'
import { sha256 } from './incoming.ts'
import type { AllMade } from './make-import.ts'

const SHOWN_MAX = 100_000
const ALL_SHOWN_MAX = 2_000_000

export interface Push {
  user: User
  request: z.output<typeof pushRequest>
  signal: AbortSignal
}

interface Item {
  key: string
  file: number
  kind: PushOutcome['items'][number]['kind']
  name: string
  state: 'new' | 'same' | 'conflict'
  id: number | undefined
  here: string | undefined
}

/** Throws for what a push can't keep unchanged: the folder would differ again at once. */
export function requireWhole({ read, losses, request }: Pick<Import, 'read' | 'losses' | 'request'>): void {
  const nameOf = (index: number) => request.files[index]?.name ?? ''
  for (const [index, { problem, format, prompts, records }] of read.entries()) {
    if (problem !== null) throw fieldError(`files.${index}.text`, `${nameOf(index)}: ${problem}`)
    if (format !== 'catenary')
      throw fieldError(
        `files.${index}.text`,
        `${nameOf(index)}: Its first lines don’t say what it is. Begin with catenary: prompt, chain or suite`,
      )
    const folder = nameOf(index).split('/')[0]
    const kind = prompts.length > 0 ? 'prompts' : `${records[0]?.kind}s`
    if (folder !== kind)
      throw fieldError(`files.${index}.name`, `${nameOf(index)}: It is in ${folder} but belongs in ${kind}`)
  }
  const [first] = losses
  if (first === undefined) return
  throw new AppError('invalid', `${first.at}: ${first.reason}`, {
    details: losses.slice(0, 100).map(({ at, reason }) => ({ path: 'files', message: `${at}: ${reason}` })),
  })
}

export async function readItems(
  ctx: SqlContext,
  { user, matches, own }: Pick<Import, 'user' | 'matches' | 'own'>,
): Promise<Item[]> {
  const ids = matches.flatMap(({ state, existing }) =>
    state === 'conflict' && existing ? [existing.id] : [],
  )
  const texts = await textsOf(ctx, { ids, userId: user.id })
  const prompts = matches.map(({ state, existing, incoming: { key, file, prompt } }): Item => {
    const here = existing && texts.get(existing.id)
    return { key, file, kind: 'prompt', name: prompt.title, state, id: existing?.id, here }
  })
  const others = [...own.chains, ...own.suites].map(({ key, file, record, state, existing }): Item => {
    return { key, file, kind: record.kind, name: record.name, state, id: existing?.id, here: existing?.text }
  })
  return [...prompts, ...others].sort((a, b) => a.file - b.file)
}

async function textsOf(
  ctx: SqlContext,
  { ids, userId }: { ids: readonly number[]; userId: number },
): Promise<Map<number, string>> {
  const texts = new Map<number, string>()
  for (const id of ids) {
    for await (const prompt of readPrompts(ctx, {
      placed: [{ id, slug: '', length: 0 }],
      scope: { label: undefined, userId },
    })) {
      texts.set(id, (await writeInTurns(prompt)).text)
    }
  }
  return texts
}

export function conflictsOf(items: readonly Item[], { files }: Push['request']): Set<string> {
  const conflicts = items.filter(({ state, file, here }) => {
    const base = files[file]?.base ?? null
    if (state === 'same') return false
    if (state === 'new') return base !== null
    return here === undefined || base !== sha256(here)
  })
  return new Set(conflicts.map(({ key }) => key))
}

export function toPushOutcome(
  items: readonly Item[],
  {
    request,
    conflicts,
    written,
  }: { request: Push['request']; conflicts: ReadonlySet<string>; written: boolean },
): PushOutcome {
  let left = ALL_SHOWN_MAX
  return {
    written,
    items: items.map(({ key, file, kind, name, state, here }) => {
      const path = request.files[file]?.name ?? ''
      if (!conflicts.has(key)) {
        return { path, kind, name, state: state === 'conflict' ? 'version' : state, here: null }
      }
      const isShown = here !== undefined && here.length <= Math.min(SHOWN_MAX, left)
      if (isShown) left -= here.length
      return { path, kind, name, state: 'conflict', here: isShown ? here : null }
    }),
  }
}

export async function moveLabels(
  ctx: Context<Transaction>,
  {
    items,
    made,
    user,
    label,
  }: {
    items: readonly Item[]
    made: AllMade
    user: User
    label: string
  },
): Promise<void> {
  const chains = new Map(made.chains.map(({ key, chainId }) => [key, chainId]))
  for (const { key, kind, id: here } of items) {
    if (kind === 'suite') continue
    const id = (kind === 'prompt' ? made.prompts.get(key)?.promptId : chains.get(key)) ?? here
    if (id !== undefined)
      await moveUnprotectedLabel(ctx, { kind, id, label, user, reason: 'Pushed from a folder' })
  }
}
