import type * as z from 'zod'
import type { Chain, ChainStep } from '../chains.ts'
import type { PromptAlias } from '../prompt-server.ts'
import type { prompt } from '../prompts.ts'
import type { Skill } from '../skills.ts'
import type { TestCase, TestSuite } from '../test-suites.ts'
import type { FOLDER_FILES } from './folder-files.ts'

interface LeftOut {
  leftOut: string
}

type PlacesOf<Fields, Name extends PropertyKey> = Record<keyof Required<Fields>, Name | LeftOut>

type PromptName = keyof z.infer<typeof FOLDER_FILES.prompt>
type ChainName = keyof z.infer<typeof FOLDER_FILES.chain>
type StepName = keyof z.infer<typeof FOLDER_FILES.chain>['steps'][number]
type SuiteName = keyof z.infer<typeof FOLDER_FILES.suite>
type CaseName = keyof z.infer<typeof FOLDER_FILES.suite>['cases'][number]
type SkillName = keyof NonNullable<z.infer<typeof FOLDER_FILES.prompt>['skill']>

const PATH = 'path'
const ORDER = 'order'
const ID: LeftOut = { leftOut: 'an id is of one server' }
const TIME: LeftOut = { leftOut: 'who saved what when is what Git keeps' }
const VERSION: LeftOut = { leftOut: 'a folder has one version: Git keeps the others' }
const SHARED: LeftOut = { leftOut: 'who sees it is decided at each server' }
const RIGHT: LeftOut = { leftOut: 'it is what the reader may do' }
const COUNTED: LeftOut = { leftOut: 'it is counted from what is there' }
const LABELS: LeftOut = { leftOut: 'a label decides what runs, so that a person moves it at each server' }
const BROUGHT_IN: LeftOut = {
  leftOut: 'who brought a name into a text is what each server knows of its own saves',
}
const OTHER_FILE: LeftOut = { leftOut: 'it stands in the file of its prompt' }

const rights = { canEdit: RIGHT, canDelete: RIGHT, canExecute: RIGHT }

/** Each field of what a folder has, by the contracts: a field that is added there does not compile before it has a place. */
export const FOLDER_PLACES = {
  prompt: {
    id: ID,
    slug: PATH,
    title: 'title',
    content: 'text',
    category: 'category',
    categoryId: ID,
    isActive: 'active',
    isPublic: SHARED,
    isShared: SHARED,
    tags: 'tags',
    owner: SHARED,
    version: VERSION,
    labels: LABELS,
    model: 'model',
    fallbackModel: 'fallbackModel',
    moreFallbackModels: 'moreFallbackModels',
    effort: 'effort',
    temperature: 'temperature',
    maxTokens: 'maxTokens',
    stop: 'stop',
    output: 'output',
    systemPrompt: 'systemPrompt',
    messages: 'messages',
    othersNames: BROUGHT_IN,
    revision: VERSION,
    createdAt: TIME,
    updatedAt: TIME,
    ...rights,
  } satisfies PlacesOf<z.infer<typeof prompt>, PromptName | typeof PATH>,
  skill: {
    description: 'description',
    parts: 'parts',
    updatedAt: TIME,
  } satisfies PlacesOf<Skill, SkillName>,
  alias: {
    alias: { leftOut: 'an alias is by which code calls a prompt at one server' },
    createdAt: TIME,
  } satisfies PlacesOf<PromptAlias, never>,
  chain: {
    id: ID,
    slug: PATH,
    name: 'name',
    description: 'description',
    sharedLevel: SHARED,
    stopsWithoutValue: 'stopsWithoutValue',
    stopsWhenCut: 'stopsWhenCut',
    runsVisibleTo: 'runsVisibleTo',
    tags: 'tags',
    owner: SHARED,
    version: VERSION,
    labels: LABELS,
    exampleRequests: 'exampleRequests',
    asksFirst: 'asksFirst',
    steps: 'steps',
    revision: VERSION,
    createdAt: TIME,
    updatedAt: TIME,
    canView: RIGHT,
    ...rights,
  } satisfies PlacesOf<Chain, ChainName | typeof PATH>,
  step: {
    id: ID,
    position: ORDER,
    title: 'title',
    content: 'content',
    model: 'model',
    fallbackModel: 'fallbackModel',
    outputVariableName: 'outputName',
    promptId: 'prompt',
    promptLabel: 'label',
    promptVersion: 'version',
    linkedPrompt: OTHER_FILE,
    systemPrompt: 'systemPrompt',
    temperature: 'temperature',
    maxTokens: 'maxTokens',
    kind: 'kind',
    onlyIf: 'onlyIf',
    default: 'default',
    ifItFails: 'ifItFails',
    ask: 'ask',
    tool: 'tool',
    forEach: 'forEach',
    moreFallbackModels: 'moreFallbackModels',
    effort: 'effort',
    stop: 'stop',
    output: 'output',
    messages: 'messages',
    othersNames: BROUGHT_IN,
  } satisfies PlacesOf<ChainStep, StepName | typeof ORDER>,
  suite: {
    id: ID,
    promptId: 'prompt',
    chainId: 'chain',
    name: 'name',
    caseCount: COUNTED,
    notRunCount: COUNTED,
    revision: VERSION,
    createdAt: TIME,
    updatedAt: TIME,
    canEdit: RIGHT,
    defaults: 'defaults',
    imported: 'imported',
  } satisfies PlacesOf<TestSuite, SuiteName>,
  case: {
    id: ID,
    position: ORDER,
    name: 'name',
    input: 'input',
    values: 'values',
    tags: 'tags',
    assertions: 'assertions',
    threshold: 'threshold',
    skipsDefaults: 'skipsDefaults',
    given: 'given',
    notRun: 'notRun',
    revision: VERSION,
  } satisfies PlacesOf<TestCase, CaseName | typeof ORDER>,
} as const

type Placed<Places> = { [Field in keyof Places]: Places[Field] extends LeftOut ? never : Field }[keyof Places]

export type FolderField<Kind extends keyof typeof FOLDER_PLACES> = Placed<(typeof FOLDER_PLACES)[Kind]>
