import { createHash } from 'node:crypto'
import type { ModelStatus } from '@catenary/contracts'
import type { ForeignPrompt, LossDraft, ReadFile, SourceFile } from '@catenary/domain/imports'
import type { Incoming } from './imports.policy.ts'
import { resolveModel } from './resolve-models.ts'

interface Reading {
  files: readonly SourceFile[]
  read: readonly ReadFile[]
  models: readonly ModelStatus[]
}

export function toIncoming({ files, read, models }: Reading): { incoming: Incoming[]; losses: LossDraft[] } {
  const losses: LossDraft[] = []
  const incoming = read.flatMap(({ prompts, losses: own }, file) => {
    const name = files[file]?.name ?? ''
    const lose = (lines: readonly LossDraft[]) => {
      for (const line of lines) losses.push({ ...line, at: line.at === '' ? name : `${name} › ${line.at}` })
    }
    lose(own)
    return prompts.map((prompt, index): Incoming => {
      const { settings, losses: lost } = resolveModel(prompt, models)
      lose(lost)
      return {
        key: `${file}.${index}`,
        file,
        prompt,
        settings,
        contentHash: sha256(prompt.content),
        hash: hashOf(prompt),
      }
    })
  })
  return { incoming, losses }
}

/** Independent of the models that are set up here. */
function hashOf({ title, content, settings, alias, tags, category, suite, ...own }: ForeignPrompt): string {
  const of = [title, content, settings, alias, tags, category, suite]
  const { slug, isActive, skill } = own
  const more = [slug, isActive, ...(skill ? [skill] : [])]
  return sha256(JSON.stringify(more.every((each) => each === undefined) ? of : [...of, ...more]))
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
