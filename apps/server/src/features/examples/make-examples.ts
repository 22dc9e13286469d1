import type {
  ExampleCounts,
  ExampleOutline,
  ExamplesState,
  MadeExamples,
  RemovedExamples,
  User,
} from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { asPart, recordActivity } from '../activity/activity.ts'
import { createChain, deleteChainAlone } from '../chains/chains.ts'
import { uploadText } from '../files/files.ts'
import { categoryIdOf } from '../library/library.ts'
import { createPrompt, deletePrompts } from '../prompts/prompts.ts'
import { createFilledSuite, deleteSuiteRow } from '../test-suites/test-suites.ts'
import { createVariableIfNameIsFree, deleteVariableUnasked } from '../variables/variables.ts'
import { EXAMPLE_CHAINS } from './content/example-chains.ts'
import { EXAMPLE_PROMPTS } from './content/example-prompts.ts'
import { EXAMPLE_SUITE } from './content/example-suite.ts'
import type { ExampleStep, ExampleVariable } from './content/example-types.ts'
import { EXAMPLE_VARIABLES } from './content/example-variables.ts'
import { type Dependant, type Example, partExamples } from './examples.policy.ts'
import {
  countExamples,
  deleteExampleRows,
  insertExamples,
  listExamples,
  listTakenNames,
  lockExamples,
  lockOwner,
} from './examples.sql.ts'

type Prompts = Map<string, { id: number; content: string }>

const NONE: ExampleCounts = { prompts: 0, chains: 0, variables: 0, suites: 0 }

const OUTLINE: ExampleOutline = {
  prompts: EXAMPLE_PROMPTS.map(({ title, category }) => ({ title, category })),
  chains: EXAMPLE_CHAINS.map(({ name, steps }) => ({ name, steps: steps.map(({ title }) => title) })),
  variables: EXAMPLE_VARIABLES.map(({ name, type }) => ({ name, type })),
  suites: [{ name: EXAMPLE_SUITE.name, prompt: EXAMPLE_SUITE.prompt, tests: EXAMPLE_SUITE.tests.length }],
}

export async function findExamples({ db }: Context, { user }: { user: User | null }): Promise<ExamplesState> {
  return { outline: OUTLINE, present: user === null ? NONE : await countExamples(db, user.id) }
}

/** All of them or none, as the person's own with the names in them; if there are some already, nothing changes. */
export function makeExamples(ctx: Context, { user }: { user: User }): Promise<MadeExamples> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    await lockOwner(db, user.id)
    const before = await countExamples(db, user.id)
    if (sum(before) > 0) return { present: before, takenNames: [] }
    await recordActivity(ctx, { kind: 'examples.added', object: 'account', id: user.id })
    const parts = asPart(ctx)
    const { ids: variableIds, takenNames } = await makeVariables(parts, user)
    const linked = await makePrompts(parts, user)
    const chainIds = await makeChains(parts, { user, linked })
    const suiteId = await makeSuite(parts, { user, linked })
    const records: Dependant[] = [
      ...[...linked.values()].map(({ id }) => ({ kind: 'prompt' as const, id })),
      ...chainIds.map((id) => ({ kind: 'chain' as const, id })),
      ...variableIds.map((id) => ({ kind: 'variable' as const, id })),
      { kind: 'suite', id: suiteId },
    ]
    await insertExamples(db, { ownerId: user.id, records })
    return { present: await countExamples(db, user.id), takenNames }
  })
}

export function removeExamples(ctx: Context, { user }: { user: User }): Promise<RemovedExamples> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    await lockOwner(db, user.id)
    await lockExamples(db, user.id)
    const { going, kept } = partExamples(await listExamples(db, user.id))
    if (going.length > 0) {
      await recordActivity(ctx, { kind: 'examples.removed', object: 'account', id: user.id })
    }
    for (const example of going) await removeExample(asPart(ctx), example, user)
    await deleteExampleRows(db, user.id)
    return { removed: countKinds(going), kept }
  })
}

async function makePrompts(ctx: Context<Transaction>, user: User): Promise<Prompts> {
  const made: Prompts = new Map()
  // A library shows the newest first.
  for (const { title, category, content } of EXAMPLE_PROMPTS.toReversed()) {
    const categoryId = await categoryIdOf(ctx, { name: category, user })
    const fields = { title, content, categoryId, isActive: true, isPublic: false }
    made.set(title, await createPrompt(ctx, { fields, user, isShown: true }))
  }
  return made
}

async function makeVariables(ctx: Context<Transaction>, user: User) {
  const names = EXAMPLE_VARIABLES.map(({ name }) => name)
  const taken = new Set(await listTakenNames(ctx.db, { ownerId: user.id, names }))
  const ids: number[] = []
  for (const example of EXAMPLE_VARIABLES.filter(({ name }) => !taken.has(name))) {
    const fields = await fieldsOf(ctx, { example, user })
    const made = await createVariableIfNameIsFree(ctx, { fields, user })
    if (made === undefined) taken.add(example.name)
    else ids.push(made.id)
  }
  return { ids, takenNames: names.filter((name) => taken.has(name)) }
}

async function fieldsOf(
  ctx: Context<Transaction>,
  { example, user }: { example: ExampleVariable; user: User },
) {
  const { name, content } = example
  const shared = { name, isPublic: false }
  if (example.type === 'text') {
    return { ...shared, type: 'text' as const, content, allowedValues: [...(example.allowedValues ?? [])] }
  }
  const key = await uploadText(ctx, { fileName: example.fileName, content, user })
  return { ...shared, type: 'file' as const, content: key }
}

async function makeChains(ctx: Context<Transaction>, { user, linked }: { user: User; linked: Prompts }) {
  const model = ctx.models.describe().find(({ configured }) => configured)?.alias ?? 'claude'
  const ids: number[] = []
  for (const { steps, exampleRequests, ...named } of EXAMPLE_CHAINS.toReversed()) {
    const fields = { ...named, exampleRequests: [...exampleRequests] }
    const made = steps.map((step, position) => ({ ...stepOf({ step, linked, model }), position }))
    const wanted = { fields: { ...CHAIN, ...fields }, steps: made, user }
    const chain = await createChain(ctx, { ...wanted, isShown: true })
    ids.push(chain.id)
  }
  return ids
}

async function makeSuite(ctx: Context<Transaction>, { user, linked }: { user: User; linked: Prompts }) {
  const { name, prompt, tests } = EXAMPLE_SUITE
  const cases = tests.map((test) => ({ ...CASE, ...test }))
  return createFilledSuite(ctx, { kind: 'prompt', id: idOf(linked, prompt), user, name, cases })
}

function removeExample(ctx: Context<Transaction>, { kind, id }: Example, user: User): Promise<void> {
  const { db } = ctx
  if (kind === 'chain') return deleteChainAlone(ctx, { id, ownerId: user.id })
  if (kind === 'prompt') return deletePrompts(ctx, [id])
  return kind === 'variable' ? deleteVariableUnasked(ctx, id) : deleteSuiteRow(db, id)
}

const CHAIN = {
  sharedLevel: 'private',
  stopsWithoutValue: 'unwatched',
  stopsWhenCut: 'unwatched',
  runsVisibleTo: 'editors',
} as const
const STEP = {
  fallbackModel: null,
  promptId: null,
  promptLabel: null,
  promptVersion: null,
  systemPrompt: null,
  temperature: null,
  maxTokens: null,
}
const CASE = {
  input: '',
  values: {},
  tags: [],
  assertions: [],
  threshold: null,
  skipsDefaults: false,
  notRun: [],
}

function stepOf({ step, linked, model }: { step: ExampleStep; linked: Prompts; model: string }) {
  if ('stop' in step)
    return { ...STEP, kind: 'stop' as const, outputVariableName: '', content: '', model: null, ...step }
  if ('ask' in step) return { ...STEP, kind: 'ask' as const, content: '', model: null, ...step }
  const { linkedPrompt, content = '', ...named } = step
  if (linkedPrompt === undefined) return { ...STEP, ...named, model, content }
  const promptId = idOf(linked, linkedPrompt)
  return { ...STEP, ...named, model, content: linked.get(linkedPrompt)?.content ?? '', promptId }
}

function idOf(linked: Prompts, title: string): number {
  const found = linked.get(title)
  if (found === undefined) throw new Error(`No example has the title ${title}`)
  return found.id
}

function countKinds(examples: readonly Example[]): ExampleCounts {
  const count = (wanted: Example['kind']) => examples.filter(({ kind }) => kind === wanted).length
  return {
    prompts: count('prompt'),
    chains: count('chain'),
    variables: count('variable'),
    suites: count('suite'),
  }
}

function sum(counts: ExampleCounts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
