import type {
  Chain,
  ChainStep,
  FolderField,
  Prompt,
  PromptSettings,
  Skill,
  StepSettings,
} from '@catenary/contracts'
import type { SuiteDraft } from '../promptfoo/draft.ts'

export type FolderSkill = Omit<Pick<Skill, FolderField<'skill'>>, 'parts'> & {
  parts: { path: string; prompt?: string | undefined; variable?: string | undefined }[]
}

type PromptFields = Pick<Required<Prompt>, FolderField<'prompt'>>

/** A prompt as a folder has it: by names, without ids. An empty slug: its file has a name that is none. */
export type FolderPrompt = Omit<PromptFields, 'tags' | keyof PromptSettings> & {
  kind: 'prompt'
  tags: string[]
  settings: PromptSettings
  skill: FolderSkill | null
}

type Link = 'promptId' | 'promptLabel' | 'promptVersion'
type StepFields = Pick<Required<ChainStep>, FolderField<'step'>>

/** `prompt` is the slug of the prompt whose text runs in place of the step's own, by its label or version if there is one. */
export type FolderStep = Omit<StepFields, Link | 'position' | keyof StepSettings> & {
  prompt: string | null
  label: string | null
  version: number | null
  settings: StepSettings
}

export type FolderChain = Omit<Pick<Required<Chain>, FolderField<'chain'>>, 'tags' | 'steps'> & {
  kind: 'chain'
  tags: string[]
  steps: FolderStep[]
}

/** `file` is the name of its file within the folder of its prompt or chain. */
export type FolderSuite = SuiteDraft & {
  kind: 'suite'
  of: { kind: 'prompt' | 'chain'; slug: string }
  file: string
}

export type FolderRecord = FolderPrompt | FolderChain | FolderSuite

export interface FolderFile {
  path: string
  text: string
}

export function pathOf(record: FolderRecord): string {
  if (record.kind === 'prompt') return `prompts/${record.slug}.md`
  if (record.kind === 'chain') return `chains/${record.slug}.yaml`
  return `suites/${record.of.kind}s/${record.of.slug}/${record.file}.yaml`
}

const FILE_NAME_MAX = 60

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
