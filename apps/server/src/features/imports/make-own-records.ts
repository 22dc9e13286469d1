import { CHAIN_NAME_MAX, type importRequest, nameKey, TEST_NAME_MAX, type User } from '@catenary/contracts'
import type { FolderChain, FolderSuite } from '@catenary/domain/folder'
import type * as z from 'zod'
import type { Transaction } from '../../database/statements/executor.ts'
import type { Context, SqlContext } from '../../platform/context.ts'
import { createChain, replaceChain, type StepFields } from '../chains/chains.ts'
import { giveSlugs, tagIdsOf } from '../library/library.ts'
import { labelNewRecord, nameOfCopy } from '../records/records.ts'
import { createFilledSuite, refillSuite } from '../test-suites/test-suites.ts'
import { findLinkable, findOwnChains, findOwnPrompts } from './own-records.sql.ts'
import type { OwnMatch, OwnMatches } from './own-records.ts'

export interface MadeChain {
  key: string
  made: 'new' | 'version' | 'copy'
  chainId: number
  revision: number
  version: number
}

/** A suite as it was before it was refilled. */
type KeptSuite = Pick<FolderSuite, 'name' | 'defaults' | 'cases' | 'imported'>

export interface MadeSuite {
  key: string
  made: 'new' | 'version' | 'copy'
  suiteId: number
  revision: number
  before: KeptSuite | null
}

interface Wanted {
  user: User
  conflicts: z.output<typeof importRequest>['conflicts']
  own: OwnMatches
  made: ReadonlyMap<string, { id: number; isNew: boolean }>
  note: string | undefined
}

type Choice = 'new' | 'version' | 'copy'

/** The chains that would be made, with what their steps call. */
export function toolsToMake({ own, conflicts }: Pick<Wanted, 'own' | 'conflicts'>) {
  return own.chains.flatMap((match) => {
    const as = choiceOf(match, conflicts)
    if (as === undefined) return []
    const tools = match.record.steps.flatMap(({ settings: { tool } }) => tool ?? [])
    return [{ chainId: as === 'version' ? (match.existing?.id ?? null) : null, tools }]
  })
}

function choiceOf({ key, state }: OwnMatch, { all, items }: Wanted['conflicts']): Choice | undefined {
  if (state === 'new') return 'new'
  if (state === 'same') return undefined
  const choice = Object.hasOwn(items, key) ? (items[key] ?? all) : all
  return choice === 'skip' ? undefined : choice
}

export async function makeOwnRecords(
  ctx: Context<Transaction>,
  wanted: Wanted,
): Promise<{ chains: MadeChain[]; suites: MadeSuite[] }> {
  const made = await makeChains(ctx, wanted)
  const slugs = new Map(wanted.own.chains.map(({ key, record }) => [key, record.slug]))
  const madeChains = new Map(made.map(({ key, chainId }) => [slugs.get(key) ?? '', chainId]))
  return { chains: made, suites: await makeSuites(ctx, { ...wanted, madeChains }) }
}

async function makeChains(ctx: Context<Transaction>, wanted: Wanted): Promise<MadeChain[]> {
  const { user, own, conflicts } = wanted
  const chosen = own.chains.flatMap((match) => {
    const as = choiceOf(match, conflicts)
    return as === undefined ? [] : [{ match, as }]
  })
  const link = await createLinks(ctx, {
    ...wanted,
    list: chosen.map(({ match }) => match.record),
  })
  const names = [...new Set(chosen.flatMap(({ match }) => match.record.tags))]
  const tagIds = await tagIdsOf(ctx, { kind: 'chain', names, user })
  const done: MadeChain[] = []
  for (const { match, as } of chosen) {
    const { record, existing, key } = match
    const steps = record.steps.map((step, position) => link({ step, position }))
    const fields = fieldsOf(record, tagIds)
    if (as === 'version' && existing !== undefined) {
      const change = {
        id: existing.id,
        user,
        steps,
        fields: { ...fields, note: wanted.note ?? 'Imported' },
      }
      const saved = await replaceChain(ctx, change)
      const { revision } = saved
      const version = saved.version === existing.version ? 0 : saved.version
      done.push({ key, made: as, chainId: existing.id, revision, version })
    } else {
      const name = as === 'copy' ? nameOfCopy(record.name, CHAIN_NAME_MAX) : record.name
      const { id: chainId } = await createChain(ctx, { fields: { ...fields, name }, steps, user })
      if (as === 'new' && record.slug !== '') {
        await giveSlugs(ctx, { kind: 'chain', wanted: [{ id: chainId, slug: record.slug }] })
      }
      done.push({ key, made: as, chainId, revision: 1, version: 1 })
    }
  }
  return done
}

async function createLinks(
  ctx: Context<Transaction>,
  { user, made, list }: Pick<Wanted, 'user' | 'made'> & { list: readonly FolderChain[] },
) {
  const steps = list.flatMap((chain) => chain.steps)
  const labelled = new Set<string>()
  for (const { prompt, label } of steps) {
    const { id, isNew } = made.get(prompt ?? '') ?? {}
    if (id === undefined || isNew !== true || label === null || labelled.has(`${id} ${label}`)) continue
    labelled.add(`${id} ${label}`)
    await labelNewRecord(ctx, { kind: 'prompt', id, label, user })
  }
  const slugs = steps.flatMap(({ prompt }) => prompt ?? [])
  const here = await findLinkable(ctx.db, { userId: user.id, slugs, versions: [] })
  return ({ step, position }: { step: FolderChain['steps'][number]; position: number }): StepFields => {
    const { prompt, label, version, settings, ...fields } = step
    const promptId = prompt === null ? null : (made.get(prompt)?.id ?? here.get(prompt)?.id ?? null)
    const [promptLabel, promptVersion] = promptId === null ? [null, null] : [label, version]
    return { ...fields, ...settings, position, promptId, promptLabel, promptVersion }
  }
}

async function makeSuites(
  ctx: Context<Transaction>,
  { madeChains, ...wanted }: Wanted & { madeChains: ReadonlyMap<string, number> },
): Promise<MadeSuite[]> {
  const { user, own, conflicts } = wanted
  const done: MadeSuite[] = []
  const targetOf = await createTargets(ctx, wanted, madeChains)
  for (const match of own.suites) {
    const as = choiceOf(match, conflicts)
    const { key, existing, record } = match
    const { name, cases, defaults, imported, of } = record
    const id = targetOf(record)
    if (as === undefined || id === undefined) continue
    const filled = { user, cases, file: { defaults, imported } }
    if (as === 'version' && existing !== undefined) {
      const { suite } = existing
      const before = suite && {
        name: suite.name,
        defaults: suite.defaults,
        cases: suite.cases,
        imported: suite.imported,
      }
      const revision = await refillSuite(ctx, { ...filled, id: existing.id, name })
      done.push({ key, made: as, suiteId: existing.id, revision, before: before ?? null })
    } else {
      const named = as === 'copy' ? nameOfCopy(name, TEST_NAME_MAX) : name
      const suiteId = await createFilledSuite(ctx, { ...filled, kind: of.kind, id, name: named })
      done.push({ key, made: as, suiteId, revision: 1, before: null })
    }
  }
  return done
}

async function createTargets(
  { db }: SqlContext,
  { user, own, made }: Wanted,
  madeChains: ReadonlyMap<string, number>,
) {
  const slugsOf = (kind: 'prompt' | 'chain') =>
    own.suites.flatMap(({ record: { of } }) => (of.kind === kind ? of.slug : []))
  const prompts = await findOwnPrompts(db, { ownerId: user.id, slugs: slugsOf('prompt') })
  const chains = await findOwnChains(db, { ownerId: user.id, slugs: slugsOf('chain') })
  return ({ of: { kind, slug } }: FolderSuite): number | undefined =>
    kind === 'prompt'
      ? (made.get(slug)?.id ?? prompts.get(slug))
      : (madeChains.get(slug) ?? chains.get(slug)?.id)
}

/** All of the file: what is added to chains comes along. */
function fieldsOf(
  { kind: _, slug: _path, steps: _steps, tags, ...fields }: FolderChain,
  tagIds: ReadonlyMap<string, number>,
) {
  return { ...fields, tagIds: tags.flatMap((tag) => tagIds.get(nameKey(tag)) ?? []) }
}
