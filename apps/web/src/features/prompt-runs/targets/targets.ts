import type { ModelAlias } from '@catenary/contracts'

export const TARGETS_MAX = 6

/** The text in the form, or the stored one of that version. */
export type RunText = 'copy' | number

export interface Target {
  model: ModelAlias
  text: RunText
}

export interface Choice {
  model: ModelAlias
  /** Beside it; the same one again shows how much its answers vary. */
  otherModels: readonly ModelAlias[]
  texts: readonly RunText[]
}

export function targetsOf({ model, otherModels, texts }: Choice): Target[] {
  return texts.flatMap((text) => [model, ...otherModels].map((model) => ({ model, text })))
}

export function boundsOf({ otherModels, texts }: Choice) {
  return {
    models: Math.floor(TARGETS_MAX / texts.length),
    texts: Math.floor(TARGETS_MAX / (otherModels.length + 1)),
  }
}

export function textsIn({ list, version }: { list: string; version: number }): RunText[] {
  const isKnown = (text: RunText) =>
    text === 'copy' || (Number.isInteger(text) && text > 0 && text <= version)
  const texts = list.split(',').map((part) => (part === 'copy' ? part : Number(part)))
  const known = [...new Set(texts)].filter(isKnown).slice(0, TARGETS_MAX)
  return known.length === 0 ? ['copy'] : known
}

interface Ran {
  model: string
  version: number | null
  isEdited: boolean
}

/** The names of some runs: what differs among them; identical ones are numbered. */
export function namesOfRuns({
  runs,
  labelOf,
}: {
  runs: readonly Ran[]
  labelOf: (model: string) => string
}): string[] {
  const textOf = ({ version, isEdited }: Ran) => (isEdited ? 'Edited copy' : `Version ${version ?? '–'}`)
  const modelsDiffer = new Set(runs.map(({ model }) => model)).size > 1
  const textsDiffer = new Set(runs.map(textOf)).size > 1
  const names = runs.map((run) => {
    if (!textsDiffer) return labelOf(run.model)
    return modelsDiffer ? `${labelOf(run.model)} · ${textOf(run).toLowerCase()}` : textOf(run)
  })
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((other) => other === name).length
    return before === 0 ? name : `${name} (${before + 1})`
  })
}
