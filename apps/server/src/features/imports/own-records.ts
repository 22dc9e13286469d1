import type { ModelStatus, User } from '@catenary/contracts'
import type { FolderChain, FolderStep, FolderSuite } from '@catenary/domain/folder'
import type { LossDraft, ReadFile, SourceFile } from '@catenary/domain/imports'
import type { SqlContext } from '../../platform/context.ts'
import { listSuitesOf, readChain, readSuite, writeInTurns } from '../exports/exports.ts'
import type { Match } from './imports.policy.ts'
import {
  findLinkable,
  findOwnChains,
  findOwnPrompts,
  type Linkable,
  listModelNames,
  listProtected,
  readSuiteRevisions,
} from './own-records.sql.ts'
import { findModel } from './resolve-models.ts'

export interface OwnMatch<Record extends FolderChain | FolderSuite = FolderChain | FolderSuite> {
  key: string
  file: number
  record: Record
  state: 'new' | 'same' | 'conflict'
  text: string
  existing: { id: number; version: number; revision: number; text: string; suite?: FolderSuite } | undefined
  losses: LossDraft[]
}

interface Planned {
  user: User
  files: readonly SourceFile[]
  read: readonly ReadFile[]
  models: readonly ModelStatus[]
  prompts: readonly Match[]
}

export interface OwnMatches {
  chains: OwnMatch<FolderChain>[]
  suites: OwnMatch<FolderSuite>[]
  losses: LossDraft[]
}

export async function matchOwnRecords(ctx: SqlContext, planned: Planned): Promise<OwnMatches> {
  const { user, files, read, prompts } = planned
  const found = read.flatMap(({ records }, file) =>
    records.map((record, index) => ({ key: `${file}.${index}`, file, at: files[file]?.name ?? '', record })),
  )
  const of = <Kind extends 'chain' | 'suite'>(kind: Kind) =>
    found.filter((each): each is Found<Extract<Found['record'], { kind: Kind }>> => each.record.kind === kind)
  const chains = await matchChains(ctx, { ...planned, found: of('chain') })
  const suites = await matchSuites(ctx, { user, prompts, chains, found: of('suite') })
  const own = await listModelNames(
    ctx.db,
    prompts.flatMap(({ state, incoming }) => (state === 'new' ? (incoming.prompt.slug ?? []) : [])),
  )
  const taken = prompts.filter(({ incoming }) => own.includes(incoming.prompt.slug ?? ''))
  return {
    chains,
    suites: suites.matches,
    losses: [
      ...taken.map(({ incoming: { file, prompt } }) => slugLoss(files[file]?.name ?? '', prompt.slug ?? '')),
      ...chains.flatMap(({ losses }) => losses),
      ...suites.losses,
    ],
  }
}

interface Found<Record = FolderChain | FolderSuite> {
  key: string
  file: number
  at: string
  record: Record
}

const slugLoss = (at: string, slug: string): LossDraft => ({
  at,
  reason: `A model here is already called ${slug}, so it gets a different name, also in the next export`,
})

async function matchChains(
  ctx: SqlContext,
  { user, models, prompts, found }: Planned & { found: Found<FolderChain>[] },
): Promise<OwnMatch<FolderChain>[]> {
  const slugs = found.flatMap(({ record }) => (record.slug === '' ? [] : [record.slug]))
  const own = await findOwnChains(ctx.db, { ownerId: user.id, slugs })
  const taken = new Set(await listModelNames(ctx.db, slugs))
  const steps = found.flatMap(({ record }) => record.steps)
  const linkable = await findLinkable(ctx.db, {
    userId: user.id,
    slugs: steps.flatMap(({ prompt }) => prompt ?? []),
    versions: steps.flatMap(({ version }) => version ?? []),
  })
  const coming = new Set(
    prompts.flatMap(({ state, incoming }) => (state === 'new' ? (incoming.prompt.slug ?? []) : [])),
  )
  const isProtected = await listProtected(ctx.db)
  const matches: OwnMatch<FolderChain>[] = []
  for (const { at, record, ...place } of found) {
    const losses: LossDraft[] = taken.has(record.slug) ? [slugLoss(at, record.slug)] : []
    const chain = {
      ...record,
      steps: record.steps.map((step, index) => {
        const { step: linked, lost } = resolveStep(step, { linkable, coming, isProtected, models })
        for (const reason of lost) losses.push({ at: `${at} › steps[${index}]`, reason })
        return linked
      }),
    }
    const existing = own.get(record.slug)
    const text = existing && (await textOfChain(ctx, { id: existing.id, user }))
    matches.push({
      ...place,
      record: chain,
      losses,
      ...(await stateOf(chain, existing && { ...existing, text: text ?? '' })),
    })
  }
  return matches
}

async function textOfChain(ctx: SqlContext, { id, user }: { id: number; user: User }) {
  const chain = await readChain(ctx, { id, scope: { userId: user.id, label: undefined } })
  return chain && (await writeInTurns(chain)).text
}

async function stateOf<Existing extends { text: string }>(
  record: FolderChain | FolderSuite,
  existing: Existing | undefined,
) {
  const { text } = await writeInTurns(record)
  if (existing === undefined) return { state: 'new' as const, existing, text }
  return { state: text === existing.text ? ('same' as const) : ('conflict' as const), existing, text }
}

interface Resolving {
  linkable: ReadonlyMap<string, Linkable>
  coming: ReadonlySet<string>
  /** Labels that an import moves for nobody. */
  isProtected: ReadonlySet<string>
  models: readonly ModelStatus[]
}

function resolveStep(step: FolderStep, { models, ...here }: Resolving) {
  const lost: string[] = []
  const known = (name: string): string => {
    const found = findModel(name, models)
    if (found !== undefined) return found.alias
    lost.push(`${name.slice(0, 80)} is not set up here: choose another model before the step runs`)
    return name
  }
  const named: FolderStep = {
    ...step,
    model: step.model === null ? null : known(step.model),
    fallbackModel: step.fallbackModel === null ? null : known(step.fallbackModel),
    settings: {
      ...step.settings,
      ...(step.settings.moreFallbackModels && {
        moreFallbackModels: step.settings.moreFallbackModels.map(known),
      }),
    },
  }
  const problem = problemOfLink(step, here)
  if (problem === undefined) return { step: named, lost }
  lost.push(`${problem}: the step keeps its own text, without the link`)
  return { step: { ...named, prompt: null, label: null, version: null }, lost }
}

function problemOfLink(
  { prompt, label, version }: FolderStep,
  { linkable, coming, isProtected }: Omit<Resolving, 'models'>,
) {
  if (prompt === null) return undefined
  // A prompt that comes with the files has one version, which its labels point to.
  if (coming.has(prompt)) {
    if (label !== null && isProtected.has(label))
      return `${label} is protected here, so ${prompt} is imported without it`
    return version === null || version === 1 ? undefined : `Version ${version} of ${prompt} is not imported`
  }
  const found = linkable.get(prompt)
  if (found === undefined) return `There is no prompt ${prompt} here`
  if (label !== null && !found.labels.includes(label)) return `${prompt} has no label ${label} here`
  if (version !== null && !found.versions.includes(version)) return `${prompt} has no version ${version} here`
  return undefined
}

interface OfSuites {
  user: User
  prompts: readonly Match[]
  chains: readonly OwnMatch<FolderChain>[]
  found: Found<FolderSuite>[]
}

async function matchSuites(ctx: SqlContext, { user, prompts, chains, found }: OfSuites) {
  const losses: LossDraft[] = []
  const matches: OwnMatch<FolderSuite>[] = []
  const targets = await findTargets(ctx, { user, prompts, chains, found })
  for (const kind of ['prompt', 'chain'] as const) {
    const of = found.filter(({ record }) => record.of.kind === kind)
    const ids = of.flatMap(({ record }) => targets[kind].get(record.of.slug) ?? [])
    const here = Map.groupBy(
      await listSuitesOf(ctx.db, { kind, ids }),
      ({ recordId, name }) => `${recordId} ${name}`,
    )
    const revisions = await readSuiteRevisions(
      ctx.db,
      [...here.values()].flat().map(({ id }) => id),
    )
    for (const { at, record, ...place } of of) {
      if (!targets[kind].has(record.of.slug)) {
        losses.push({
          at,
          reason: `You have no ${kind} ${record.of.slug} here, so its tests are not imported`,
        })
        continue
      }
      const id = here.get(`${targets[kind].get(record.of.slug)} ${record.name}`)?.shift()?.id
      const suite =
        id === undefined ? undefined : await readSuite(ctx, { id, of: record.of, file: record.file })
      const revision = revisions.get(id ?? 0) ?? 1
      const existing =
        id === undefined || suite === undefined
          ? undefined
          : { id, version: revision, revision, text: (await writeInTurns(suite)).text, suite }
      matches.push({ ...place, record, losses: [], ...(await stateOf(record, existing)) })
    }
  }
  return { matches, losses }
}

async function findTargets(ctx: SqlContext, { user, prompts, chains, found }: OfSuites) {
  const targets = {
    prompt: new Map<string, number | undefined>(),
    chain: new Map<string, number | undefined>(),
  }
  const missing = found.filter(
    ({ record: { of } }) => of.kind === 'chain' && !chains.some(({ record }) => record.slug === of.slug),
  )
  const own = await findOwnChains(ctx.db, {
    ownerId: user.id,
    slugs: missing.map(({ record }) => record.of.slug),
  })
  for (const [slug, { id }] of own) targets.chain.set(slug, id)
  for (const { record, existing } of chains) targets.chain.set(record.slug, existing?.id)
  const ofPrompts = found.flatMap(({ record: { of } }) => (of.kind === 'prompt' ? of.slug : []))
  for (const [slug, id] of await findOwnPrompts(ctx.db, { ownerId: user.id, slugs: ofPrompts })) {
    targets.prompt.set(slug, id)
  }
  for (const { incoming, existing } of prompts) {
    if (incoming.prompt.slug !== undefined) targets.prompt.set(incoming.prompt.slug, existing?.id)
  }
  return targets
}
