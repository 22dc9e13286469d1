import type {
  ExampleCounts,
  ExampleOutline,
  ExamplesState,
  MadeExamples,
  RemovedExamples,
  User,
} from '@catenary/contracts'
import type { Database, Transaction } from '../../db/executor.ts'
import type { Models } from '../../platform/models/models.ts'
import type { ChainsService } from '../chains/chains.ts'
import type { FilesService } from '../files/files.ts'
import { categoryIdOf } from '../library/library.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import type { TestSuitesService } from '../test-suites/test-suites.ts'
import type { VariablesService } from '../variables/variables.ts'
import { EXAMPLE_CHAINS } from './content/example-chains.ts'
import { EXAMPLE_PROMPTS } from './content/example-prompts.ts'
import { EXAMPLE_SUITE } from './content/example-suite.ts'
import type { ExampleStep, ExampleVariable } from './content/example-types.ts'
import { EXAMPLE_VARIABLES } from './content/example-variables.ts'
import { type Dependant, type Example, partExamples } from './examples.policy.ts'
import {
  countExamples,
  createExamples,
  deleteExamples,
  listExamples,
  listTakenNames,
  lockExamples,
  lockOwner,
} from './examples.repository.ts'

export type ExamplesService = ReturnType<typeof createExamplesService>

/** What creates the example records. */
export interface ExampleMakers {
  prompts: Pick<PromptsService, 'createIn' | 'deleteIn'>
  chains: Pick<ChainsService, 'createIn' | 'deleteIn'>
  variables: Pick<VariablesService, 'createIn' | 'deleteIn'>
  files: Pick<FilesService, 'uploadIn'>
  suites: Pick<TestSuitesService, 'createIn' | 'deleteIn'>
}

type Prompts = Map<string, { id: number; content: string }>

const NONE: ExampleCounts = { prompts: 0, chains: 0, variables: 0, suites: 0 }

const OUTLINE: ExampleOutline = {
  prompts: EXAMPLE_PROMPTS.map(({ title, category }) => ({ title, category })),
  chains: EXAMPLE_CHAINS.map(({ name, steps }) => ({ name, steps: steps.map(({ title }) => title) })),
  variables: EXAMPLE_VARIABLES.map(({ name, type }) => ({ name, type })),
  suites: [{ name: EXAMPLE_SUITE.name, prompt: EXAMPLE_SUITE.prompt, tests: EXAMPLE_SUITE.tests.length }],
}

/** Records to begin with, created as the person's own with the names in them, as nobody else wrote them; removed again if they are unchanged. */
export function createExamplesService(
  { db, models }: { db: Database; models: Pick<Models, 'describe'> },
  { prompts, chains, variables, files, suites }: ExampleMakers,
) {
  async function makePrompts(tx: Transaction, user: User): Promise<Prompts> {
    const made: Prompts = new Map()
    // A library shows the newest first.
    for (const { title, category, content } of EXAMPLE_PROMPTS.toReversed()) {
      const categoryId = await categoryIdOf({ db: tx }, { name: category, user })
      const fields = { title, content, categoryId, isActive: true, isPublic: false }
      made.set(title, await prompts.createIn(tx, { fields, user, isShown: true }))
    }
    return made
  }

  /** Creates those whose names the person does not use yet; returns their ids. */
  async function makeVariables(tx: Transaction, user: User) {
    const names = EXAMPLE_VARIABLES.map(({ name }) => name)
    const taken = new Set(await listTakenNames(tx, { ownerId: user.id, names }))
    const ids: number[] = []
    for (const example of EXAMPLE_VARIABLES.filter(({ name }) => !taken.has(name))) {
      const made = await variables.createIn(tx, { fields: await fieldsOf(tx, { example, user }), user })
      if (made === undefined) taken.add(example.name)
      else ids.push(made.id)
    }
    return { ids, takenNames: names.filter((name) => taken.has(name)) }
  }

  async function fieldsOf(tx: Transaction, { example, user }: { example: ExampleVariable; user: User }) {
    const { name, content } = example
    const shared = { name, isPublic: false }
    if (example.type === 'text') {
      return { ...shared, type: 'text' as const, content, allowedValues: [...(example.allowedValues ?? [])] }
    }
    const key = await files.uploadIn(tx, { fileName: example.fileName, content, user })
    return { ...shared, type: 'file' as const, content: key }
  }

  async function makeChains(tx: Transaction, { user, linked }: { user: User; linked: Prompts }) {
    const model = models.describe().find(({ configured }) => configured)?.alias ?? 'claude'
    const ids: number[] = []
    for (const { steps, exampleRequests, ...named } of EXAMPLE_CHAINS.toReversed()) {
      const fields = { ...named, exampleRequests: [...exampleRequests] }
      const made = steps.map((step, position) => ({ ...stepOf({ step, linked }), position, model }))
      const wanted = { fields: { ...CHAIN, ...fields }, steps: made, user }
      const chain = await chains.createIn(tx, { ...wanted, isShown: true })
      ids.push(chain.id)
    }
    return ids
  }

  async function makeSuite(tx: Transaction, { user, linked }: { user: User; linked: Prompts }) {
    const { name, prompt, tests } = EXAMPLE_SUITE
    const cases = tests.map((test) => ({ ...CASE, ...test }))
    return suites.createIn(tx, { kind: 'prompt', id: idOf(linked, prompt), user, name, cases })
  }

  function remove(tx: Transaction, { kind, id, name }: Example, user: User): Promise<void> {
    if (kind === 'chain') return chains.deleteIn(tx, { id, user, details: { name, owner: user.username } })
    if (kind === 'prompt') return prompts.deleteIn(tx, id)
    return kind === 'variable' ? variables.deleteIn(tx, id) : suites.deleteIn(tx, id)
  }

  return {
    async find(user: User | null): Promise<ExamplesState> {
      return { outline: OUTLINE, present: user === null ? NONE : await countExamples(db, user.id) }
    },

    /** Creates all of them or none; if there are some already, nothing changes. */
    make(user: User): Promise<MadeExamples> {
      return db.transaction(async (tx) => {
        await lockOwner(tx, user.id)
        const before = await countExamples(tx, user.id)
        if (sum(before) > 0) return { present: before, takenNames: [] }
        const { ids: variableIds, takenNames } = await makeVariables(tx, user)
        const linked = await makePrompts(tx, user)
        const chainIds = await makeChains(tx, { user, linked })
        const suiteId = await makeSuite(tx, { user, linked })
        const records: Dependant[] = [
          ...[...linked.values()].map(({ id }) => ({ kind: 'prompt' as const, id })),
          ...chainIds.map((id) => ({ kind: 'chain' as const, id })),
          ...variableIds.map((id) => ({ kind: 'variable' as const, id })),
          { kind: 'suite', id: suiteId },
        ]
        await createExamples(tx, { ownerId: user.id, records })
        return { present: await countExamples(tx, user.id), takenNames }
      })
    },

    /** What was changed since, or is needed by what stays, becomes the person's own. */
    remove(user: User): Promise<RemovedExamples> {
      return db.transaction(async (tx) => {
        await lockOwner(tx, user.id)
        await lockExamples(tx, user.id)
        const { going, kept } = partExamples(await listExamples(tx, user.id))
        for (const example of going) await remove(tx, example, user)
        await deleteExamples(tx, user.id)
        return { removed: countKinds(going), kept }
      })
    },
  }
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

function stepOf({ step, linked }: { step: ExampleStep; linked: Prompts }) {
  const { linkedPrompt, content = '', ...named } = step
  if (linkedPrompt === undefined) return { ...STEP, ...named, content }
  const promptId = idOf(linked, linkedPrompt)
  return { ...STEP, ...named, content: linked.get(linkedPrompt)?.content ?? '', promptId }
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
