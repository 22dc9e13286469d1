import * as z from 'zod'
import { refused } from '../gateway-error.ts'
import { contentPart, readParts } from './read-request.ts'

export interface PromptReference {
  /** A slug, an id of ours, or an alias. */
  id: string
  /** A number or a label; undefined: `production`, else the newest. */
  version: string | undefined
  variables: Record<string, string>
}

const name = z.union([z.string().min(1).max(200), z.int().min(1)]).transform(String)

export const promptReference = z.looseObject({
  id: name.nullish(),
  prompt_id: name.nullish(),
  version: name.nullish(),
  variables: z.record(z.string().max(200), z.union([z.string(), contentPart])).nullish(),
})

const PARTS = { text: ['input_text'] }

/** Throws for one without a name, and for a variable that is not text. */
export function readPromptReference(value: z.output<typeof promptReference>): PromptReference {
  const id = value.id ?? value.prompt_id
  if (id === undefined || id === null) throw refused('prompt.id', 'required: the slug or id of a prompt')
  const variables = Object.entries(value.variables ?? {}).map(([key, part]): [string, string] => [
    key,
    readParts(typeof part === 'string' ? part : [part], {
      kinds: PARTS,
      param: `prompt.variables.${key}`,
    }).texts.join('\n'),
  ])
  return { id, version: value.version ?? undefined, variables: Object.fromEntries(variables) }
}
