import { setImmediate as turn } from 'node:timers/promises'
import type { StepSettings } from '@catenary/contracts'
import {
  type FolderChain,
  type FolderFile,
  type FolderPrompt,
  type FolderRecord,
  type FolderSkill,
  type FolderStep,
  type FolderSuite,
  fileNameOf,
  pathOf,
  writePieces,
} from '@catenary/domain/folder'
import type { SqlContext } from '../../platform/context.ts'
import { promptSettingsOf, stepSettingsOf } from '../records/records.ts'
import {
  type ExportedPrompt,
  findExportedChain,
  findExportedSuite,
  findExportedVersion,
  listExportedChains,
  listExportedPrompts,
  listExportedSuites,
  type Placed,
  readExportedPrompts,
  readExportedSteps,
  readSkills,
  readSlugs,
  type Scope,
} from './exports.sql.ts'

/** Rows of a statement, and about the characters. */
const ROWS_MAX = 100
const LENGTH_MAX = 1_000_000
/** Then whoever else waits has a turn. */
const TURN_MS = 10

/** In the order of their paths, one after the other: only a few are held at a time. */
export async function* readFolder(ctx: SqlContext, scope: Scope): AsyncGenerator<FolderFile> {
  const chains = await listExportedChains(ctx.db, scope)
  for (const { id, slug } of chains) {
    const chain = await readChain(ctx, { id, scope })
    if (chain !== undefined) yield await writeInTurns({ ...chain, slug })
  }
  const prompts = await listExportedPrompts(ctx.db, scope)
  for await (const prompt of readPrompts(ctx, { placed: prompts, scope })) {
    yield await writeInTurns(prompt)
  }
  for await (const suite of readSuites(ctx, { kind: 'chain', records: chains }))
    yield await writeInTurns(suite)
  for await (const suite of readSuites(ctx, { kind: 'prompt', records: prompts }))
    yield await writeInTurns(suite)
}

export async function* readPrompts(
  { db }: SqlContext,
  { placed, scope: { label, userId } }: { placed: readonly Placed[]; scope: Pick<Scope, 'label' | 'userId'> },
): AsyncGenerator<FolderPrompt> {
  for (const batch of batchesOf(placed)) {
    const ids = batch.map(({ id }) => id)
    const read = new Map((await readExportedPrompts(db, { ids, label })).map((row) => [row.id, row]))
    const skills = await readSkills(db, { ids, userId })
    for (const { id, slug } of batch) {
      const found = read.get(id)
      if (found === undefined) continue
      yield { ...toPrompt(found, skills.get(id) ?? null), ...(slug !== '' && { slug }) }
    }
  }
}

function toPrompt(
  { id: _, tags, settings, ...prompt }: ExportedPrompt,
  skill: FolderSkill | null,
): FolderPrompt {
  const plain = promptSettingsOf(settings ?? {}) ?? {}
  return { kind: 'prompt', ...prompt, tags: namesOf(tags), settings: plain, skill }
}

const namesOf = (tags: readonly { name: string }[]): string[] => tags.map(({ name }) => name)

function* batchesOf(placed: readonly Placed[]): Generator<Placed[]> {
  let batch: Placed[] = []
  let length = 0
  for (const each of placed) {
    if (batch.length > 0 && (batch.length >= ROWS_MAX || length + each.length > LENGTH_MAX)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(each)
    length += each.length
  }
  if (batch.length > 0) yield batch
}

export async function readChain(
  { db }: SqlContext,
  { id, scope: { label, userId } }: { id: number; scope: Pick<Scope, 'label' | 'userId'> },
): Promise<FolderChain | undefined> {
  const chain = await findExportedChain(db, id)
  if (chain === undefined) return undefined
  const version = label === undefined ? undefined : await findExportedVersion(db, { id, label })
  if (label !== undefined && version === undefined) return undefined
  const { steps, ...named } = version ?? { steps: await readExportedSteps(db, id) }
  const ids = steps.flatMap(({ promptId }) => promptId ?? [])
  const slugs = await readSlugs(db, { ids, userId })
  return {
    kind: 'chain',
    ...chain,
    ...named,
    tags: namesOf(chain.tags),
    steps: steps.map((step) => toStep(step, slugs.get(step.promptId ?? 0))),
  }
}

type Step = NonNullable<Awaited<ReturnType<typeof findExportedVersion>>>['steps'][number]

/** A prompt that the person can't see is not named; the step's own text is theirs to read. */
function toStep(step: Step, prompt: string | undefined): FolderStep {
  const { outputVariableName, title, content, model, fallbackModel, systemPrompt, temperature, maxTokens } =
    step
  return {
    outputVariableName,
    title,
    content,
    model,
    fallbackModel,
    systemPrompt,
    temperature,
    maxTokens,
    prompt: prompt ?? null,
    label: prompt === undefined ? null : step.promptLabel,
    version: prompt === undefined ? null : step.promptVersion,
    settings: withoutPeople(stepSettingsOf(step) ?? {}),
  }
}

/** Who answers is no part of a file: names are of this installation. */
function withoutPeople({ ask, ...settings }: StepSettings): StepSettings {
  return ask ? { ...settings, ask: { ...ask, people: [], groups: [] } } : settings
}

interface OfRecords {
  kind: 'prompt' | 'chain'
  records: readonly Placed[]
}

export async function* readSuites(
  ctx: SqlContext,
  { kind, records }: OfRecords,
): AsyncGenerator<FolderSuite> {
  const ids = records.map(({ id }) => id)
  const listed = Map.groupBy(await listExportedSuites(ctx.db, { kind, ids }), ({ recordId }) => recordId)
  for (const { id: recordId, slug } of records) {
    const taken = new Set<string>()
    const files = (listed.get(recordId) ?? []).map(({ id, name }) => ({ id, file: fileNameOf(name, taken) }))
    for (const { id, file } of files.sort((a, b) => (a.file < b.file ? -1 : 1))) {
      const suite = await readSuite(ctx, { id, file, of: { kind, slug } })
      if (suite !== undefined) yield suite
    }
  }
}

export async function readSuite(
  { db }: SqlContext,
  { id, ...place }: Pick<FolderSuite, 'of' | 'file'> & { id: number },
): Promise<FolderSuite | undefined> {
  const found = await findExportedSuite(db, id)
  if (found === undefined) return undefined
  const { suite, cases } = found
  return {
    kind: 'suite',
    ...place,
    name: suite.name,
    defaults: {
      values: suite.defaultValues,
      assertions: suite.defaultAssertions,
      threshold: suite.defaultThreshold,
      notRun: suite.defaultNotRun,
    },
    cases: cases.map(({ name, input, values, tags, assertions, threshold, skipsDefaults, given, notRun }) => {
      const kept = { name, input, values, tags, assertions, threshold, skipsDefaults, notRun }
      return given ? { ...kept, given } : kept
    }),
    imported: suite.imported,
  }
}

export async function writeInTurns(record: FolderRecord): Promise<FolderFile> {
  let text = ''
  let since = performance.now()
  for (const piece of writePieces(record)) {
    text += piece
    if (performance.now() - since < TURN_MS) continue
    await turn()
    since = performance.now()
  }
  return { path: pathOf(record), text }
}
