import type { CreateChainRequest, PromptSettings, StepSettings } from '@catenary/contracts'
import type { SuiteDraft } from '../promptfoo/draft.ts'

/** A prompt as a folder has it: by names, without ids. */
export interface FolderPrompt {
  kind: 'prompt'
  /** Empty: its file has a name that is none. */
  slug: string
  title: string
  content: string
  category: string
  tags: string[]
  isActive: boolean
  settings: PromptSettings
}

/** `prompt` is the slug of the prompt whose text runs in place of the step's own, by its label or version if there is one. */
export interface FolderStep {
  outputVariableName: string
  title: string
  prompt: string | null
  label: string | null
  version: number | null
  model: string
  fallbackModel: string | null
  temperature: number | null
  maxTokens: number | null
  settings: StepSettings
  systemPrompt: string | null
  content: string
}

export interface FolderChain {
  kind: 'chain'
  slug: string
  name: string
  description: string
  tags: string[]
  stopsWithoutValue: NonNullable<CreateChainRequest['stopsWithoutValue']>
  runsVisibleTo: NonNullable<CreateChainRequest['runsVisibleTo']>
  exampleRequests: string[]
  steps: FolderStep[]
}

export interface FolderSuite extends SuiteDraft {
  kind: 'suite'
  of: { kind: 'prompt' | 'chain'; slug: string }
  /** Name of its file within the folder of its prompt or chain. */
  file: string
}

export type FolderRecord = FolderPrompt | FolderChain | FolderSuite

/** A file of a folder: its path with `/`. */
export interface FolderFile {
  path: string
  text: string
}

/** Where a record stands: the same name at each export. */
export function pathOf(record: FolderRecord): string {
  if (record.kind === 'prompt') return `prompts/${record.slug}.md`
  if (record.kind === 'chain') return `chains/${record.slug}.yaml`
  return `suites/${record.of.kind}s/${record.of.slug}/${record.file}.yaml`
}

const FILE_NAME_MAX = 60

/** A name as a file's, with a number where others of the folder have it. */
export function fileNameOf(name: string, taken: Set<string>): string {
  const plain = name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, FILE_NAME_MAX)
    .replace(/-$/, '')
  const base = plain || 'suite'
  for (let number = 1; ; number += 1) {
    const file = number === 1 ? base : `${base}-${number}`
    if (taken.has(file)) continue
    taken.add(file)
    return file
  }
}
